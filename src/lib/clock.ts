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

/** `2026-01-31 12:00:00`, in UTC. */
export const timeText = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
