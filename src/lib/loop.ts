/** Runs background work in turns, one at a time with a pause after each; `wake` ends the pause. */
import { systemClock, type Timers } from "./clock.ts";

export interface LoopOptions {
  /** Runs a turn. May return the milliseconds until the next turn; the default is `every`. */
  readonly turn: (signal: AbortSignal) => Turn | Promise<Turn>;
  /** Milliseconds from the end of a turn to the next turn, even after a failure. */
  readonly every: number;
  /** Called with the first error of each kind; after a successful turn, every kind is reported again. */
  readonly complain: (error: unknown) => void;
  /** Milliseconds until the first turn; by default that turn begins before `loop` returns. */
  readonly first?: number;
  /** Milliseconds of waiting before each turn: all calls of `wake` in this time cause one turn. */
  readonly gather?: number;
  readonly timers?: Timers;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a turn that returns nothing is usual
type Turn = number | undefined | void;

export interface Loop {
  /** Begins the next turn now, or after the current turn if one is running. */
  wake(): void;
  /** Aborts the signal of the current turn and waits for its end. No turn follows. */
  close(): Promise<void>;
}

/** The maximum kinds of errors reported between two successful turns: messages may differ each time. */
const mostKinds = 5;

export function loop(options: LoopOptions): Loop {
  const { turn, every, complain, first = 0, gather = 0, timers = systemClock } = options;
  const closing = new AbortController();
  const { signal } = closing;
  const kinds = new Set<string>();
  let isWoken = false;
  let interrupt = () => {};

  const attempt = async (): Promise<number> => {
    try {
      const next = await turn(signal);
      kinds.clear();
      return next ?? every;
    } catch (error) {
      const kind = String(error);
      const isNew = kinds.size < mostKinds && !kinds.has(kind);
      if (isNew) kinds.add(kind);
      // a turn that was aborted may fail
      if (isNew && !signal.aborted) complain(error);
      return every;
    }
  };

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = timers.after(milliseconds, resolve);
      interrupt = () => {
        cancel();
        resolve();
      };
    });

  const run = async () => {
    for (let next = first; !signal.aborted; ) {
      if (next > 0 && !isWoken) await pause(next);
      // a turn follows in any case: another call of `wake` must not cut short the time to gather
      isWoken = true;
      if (gather > 0 && !signal.aborted) await pause(gather);
      if (signal.aborted) return;
      isWoken = false;
      next = await attempt();
    }
  };

  const running = run();
  return {
    wake() {
      if (isWoken) return;
      isWoken = true;
      interrupt();
    },
    async close() {
      closing.abort();
      interrupt();
      await running;
    },
  };
}
