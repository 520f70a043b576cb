/** Which zones wait for a request after a NOTIFY, in memory that workers share: one message for each zone is enough. */

export interface NoticeTable {
  /** The hash of the zone that waits; 0 for none. */
  readonly zones: Int32Array<SharedArrayBuffer>;
  /** When it began to wait: milliseconds, of which the upper bits are cut off. */
  readonly since: Int32Array<SharedArrayBuffer>;
  /** Prevents tenants from predicting which zones share an entry. */
  readonly seed: number;
}

/** Number of entries; a power of two. */
const entries = 32_768;
/** Milliseconds after which a message that a worker has sent may be lost, because the worker has ended. */
const longest = 2000;

export const makeNoticeTable = (seed: number): NoticeTable => ({
  zones: new Int32Array(new SharedArrayBuffer(entries * Int32Array.BYTES_PER_ELEMENT)),
  since: new Int32Array(new SharedArrayBuffer(entries * Int32Array.BYTES_PER_ELEMENT)),
  seed,
});

/** Notes that a zone waits; false if it does already, so that the request after this moment is on its way. */
export function noteWaiting({ zones, since, seed }: NoticeTable, zoneId: string, now: number): boolean {
  const zone = hash(zoneId, seed);
  const at = zone & (entries - 1);
  if (Atomics.load(zones, at) === zone && Math.abs((now | 0) - Atomics.load(since, at)) < longest) return false;
  Atomics.store(since, at, now | 0);
  Atomics.store(zones, at, zone);
  return true;
}

/** To be called right before a zone is requested: later notices need another request. */
export function noteRequested({ zones, seed }: NoticeTable, zoneId: string): void {
  const zone = hash(zoneId, seed);
  Atomics.compareExchange(zones, zone & (entries - 1), zone, 0);
}

/** Never 0. */
function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  return value ^ (value >>> 15) || 1;
}
