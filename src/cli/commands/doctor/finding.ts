/** The result of one check of `fairlead doctor`. */

export interface Finding {
  readonly check: string;
  readonly state: "ok" | "warning" | "failed";
  readonly text: string;
  /** The advice; only if the state is not ok. */
  readonly advice?: string;
}

/** The findings of one check are made with its name. */
export const findingsOf = (check: string) => ({
  ok: (text: string): Finding => ({ check, state: "ok", text }),
  warning: (text: string, advice: string): Finding => ({ check, state: "warning", text, advice }),
  failed: (text: string, advice: string): Finding => ({ check, state: "failed", text, advice }),
});

export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
