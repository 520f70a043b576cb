/** Zone serials: numbers on a circle of 2^32 (RFC 1982). */

const circle = 2 ** 32;

/** Whether `a` comes after `b`. Of two serials exactly half a circle apart neither does. */
export function isLaterSerial(a: number, b: number): boolean {
  const distance = (a - b + circle) % circle;
  return distance > 0 && distance < circle / 2;
}

/** The one of some serials that none of the others comes after. */
export const latestSerial = (first: number, ...others: readonly number[]): number =>
  others.reduce((latest, serial) => (isLaterSerial(serial, latest) ? serial : latest), first);

/** The serial after `serial`: the time, so that people can read it, unless the zone's serial is past that already. */
export function nextSerial(serial: number, now: number): number {
  const next = (serial + 1) % circle;
  const time = now % circle;
  return isLaterSerial(time, next) ? time : next;
}
