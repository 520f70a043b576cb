/** Time as an argument, so that tests can move it. */

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export interface Timers {
  /** Calls `act` once after a time; the returned function cancels that. A timer does not keep the process running. */
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
