/** A clock that tests advance. */

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
