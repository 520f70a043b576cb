/** Time as an argument, so that tests can move it. */

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export interface Timers {
  /** Calls `act` once after a time, and returns what prevents that. It does not keep the process running. */
  after(milliseconds: number, act: () => void): () => void;
}

export const systemClock: Clock & Timers = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};

/** Unix time in whole seconds, the API's unit for timestamps. */
export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000);

/** A clock that only moves with `advance`. */
export function fakeClock(start = Date.UTC(2030, 0, 1)) {
  let now = start;
  let timers: readonly { readonly at: number; readonly act: () => void }[] = [];
  return {
    now: () => now,
    /** Runs the timers that become due, in the order of their times. */
    advance(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { act } of due.sort((one, other) => one.at - other.at)) act();
    },
    after(milliseconds: number, act: () => void) {
      const timer = { at: now + milliseconds, act };
      timers = [...timers, timer];
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
  };
}
