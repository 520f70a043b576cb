/** The results of the checks of `fairlead doctor` and `fairlead store check`, and how they are printed. */
import { wrapped } from "./table.ts";

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

export const isWell = (findings: readonly Finding[]): boolean => findings.every(({ state }) => state !== "failed");

/** Findings as lines for people, or as JSON together with further fields. */
export function printed(findings: readonly Finding[], json: boolean, more: object = {}): string {
  if (json) return JSON.stringify({ ok: isWell(findings), findings, ...more }, null, 2);
  return findings.flatMap(print).join("\n");
}

function print({ check, state, text, advice }: Finding): string[] {
  const [first = "", ...rest] = wrapped(text.split(" "), indent);
  const lines = [`${state.padEnd(9)}${check.padEnd(12)}${first.trim()}`, ...rest];
  return advice === undefined ? lines : [...lines, ...wrapped(["to do:", ...advice.split(" ")], indent)];
}

const indent = 21;
