/** Zone serials, which are numbers modulo 2^32 (RFC 1982). */

const circle = 2 ** 32;

/** Whether `a` is after `b`. Neither of two serials is after the other if they differ by exactly 2^31. */
export function isLaterSerial(a: number, b: number): boolean {
  const distance = (a - b + circle) % circle;
  return distance > 0 && distance < circle / 2;
}

/** Returns the serial that no other is after. */
export const latestSerial = (first: number, ...others: readonly number[]): number =>
  others.reduce((latest, serial) => (isLaterSerial(serial, latest) ? serial : latest), first);

/** Returns the serial that is `step` after another one; less than 2^31, so that it is later. */
export const laterSerial = (serial: number, step: number): number => (serial + step) % circle;

/** Returns the next serial: the time, so that people can read it, or `serial` + 1 if that is later. */
export function nextSerial(serial: number, now: number): number {
  const next = laterSerial(serial, 1);
  const time = now % circle;
  return isLaterSerial(time, next) ? time : next;
}
