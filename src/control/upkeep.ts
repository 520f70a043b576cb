/** Removes what is kept for a time only: one thing after another, in rounds. */
import type { Log } from "../lib/log.ts";

interface UpkeepOptions {
  readonly log: Log;
  /** Milliseconds from one round to the next, unless that one still goes on. */
  readonly every?: number;
}

const usually = 10 * 60_000;

/** `steps` by what they remove; one that fails is tried again in the next round. Returns what ends the rounds. */
export function removeRegularly(
  steps: Readonly<Record<string, () => Promise<unknown>>>,
  { log, every = usually }: UpkeepOptions,
): () => Promise<void> {
  const closing = new AbortController();
  const round = async () => {
    for (const [what, step] of Object.entries(steps)) {
      if (closing.signal.aborted) return;
      await step().catch((error: unknown) => {
        // the store may be closed under a step that goes on
        if (!closing.signal.aborted) log.warn({ what, reason: String(error) }, "what is too old was not removed");
      });
    }
  };
  let isOn = false;
  const timer = setInterval(async () => {
    if (isOn) return;
    isOn = true;
    await round();
    isOn = false;
  }, every).unref();
  return async () => {
    closing.abort();
    clearInterval(timer);
  };
}
