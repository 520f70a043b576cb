/** Time as an argument, so that tests can move it. */

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Unix time in whole seconds, the API's unit for timestamps. */
export const seconds = (clock: Clock) => Math.floor(clock.now() / 1000);

/** A clock that only moves with `advance`. */
export function fakeClock(start = Date.UTC(2030, 0, 1)) {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds: number) {
      now += milliseconds;
    },
  };
}
