/** Reads all zones of the store in turn, slowly, and stores their digests, which edges compare with their own. */
import { ZoneDigest } from "../../../answer/image/zone-digest.ts";
import { LongWork } from "../../../lib/fair/yield.ts";
import type { Log } from "../../../lib/log.ts";
import type { Store } from "../../../storage/db.ts";
import { type LeasedLoop, leasedLoop } from "../../../storage/leased-loop.ts";
import {
  DigestConnection,
  firstPlace,
  type ReadZone,
  type ZonePlace,
  type ZonesReading,
} from "../../../sync/postgres/digests.ts";

export interface DigestOptions {
  readonly store: Store;
  readonly url: string;
  readonly log: Log;
  /** Milliseconds from the beginning of a round to the beginning of the next. */
  readonly every?: number | undefined;
}

const defaultEvery = 5 * 60_000;
/** Reading takes at most this share of the time. */
const share = 1 / 20;
const shortestPause = 20;
/** Milliseconds of a pause in which no connection is kept. */
const longPause = 10_000;
/** Milliseconds after the start, when there is other work. */
const firstAfter = 10_000;
const pauseAfterFailure = 30_000;
const mostZones = 500;
/** Records after which the zones that are left wait for the next turn. */
const mostRecords = 20_000;
/** Longer than any pause, so that the next turn is of the same process. */
const leaseFor = 10 * 60_000;
const renewAfter = 60_000;

/** Zones in order, and where they end. */
interface Read {
  readonly zones: Readonly<Record<string, number>>;
  readonly last: ZonePlace;
  /** Whether zones are left for later turns. */
  readonly more: boolean;
}

export class ZoneDigests {
  readonly #options: DigestOptions;
  readonly #loop: LeasedLoop;
  #connection: DigestConnection | undefined;
  /** The last zone that was read; undefined before the first. */
  #place: ZonePlace | undefined;
  #roundBegan = Number.NEGATIVE_INFINITY;

  constructor(options: DigestOptions) {
    this.#options = options;
    const { store, log, every = defaultEvery } = options;
    this.#loop = leasedLoop({
      db: store.db,
      holder: store.holder,
      name: "digests",
      leaseFor,
      renewAfter,
      turn: (_, signal) => this.#turn(signal),
      every: pauseAfterFailure,
      tryEvery: Math.min(every, pauseAfterFailure),
      first: Math.min(every, firstAfter),
      complain: (error) => log.warn({ reason: String(error) }, "the zones cannot be read to compare edges with them"),
    });
  }

  async close(): Promise<void> {
    await this.#loop.close();
    this.#disconnect();
  }

  /** Returns the milliseconds until the next turn. */
  async #turn(signal: AbortSignal): Promise<number> {
    const { url, store, every = defaultEvery } = this.#options;
    const began = performance.now();
    const give = () => this.#disconnect();
    signal.addEventListener("abort", give);
    try {
      const connection = this.#connection ?? (await DigestConnection.open(url, store.isEmbedded));
      this.#connection = connection;
      const place = this.#place ?? (await connection.lastPlace());
      if (place === firstPlace) this.#roundBegan = began;
      this.#place = await step(connection, place);
    } catch (error) {
      this.#disconnect();
      throw error;
    } finally {
      signal.removeEventListener("abort", give);
    }
    const now = performance.now();
    const rest = Math.max(shortestPause, (now - began) * (1 / share - 1));
    const pause = this.#place === firstPlace ? Math.max(rest, this.#roundBegan + every - now) : rest;
    if (pause > longPause) this.#disconnect();
    return pause;
  }

  #disconnect(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Reads the next zones after a place, and stores their digests. Returns where they end. */
async function step(connection: DigestConnection, place: ZonePlace): Promise<ZonePlace> {
  let result: { readonly reading: ZonesReading; readonly read: Read } | undefined;
  await connection.read(place, mostZones, async (reading) => {
    result = { reading, read: await digest(reading) };
  });
  const { reading, read } = result!;
  const { number, revision } = reading;
  const last = read.more || !reading.isLast ? read.last : firstPlace;
  const total = read.more ? null : reading.total;
  await connection.write({ number, revision, zones: read.zones, total }, last);
  return last;
}

async function digest({ zones, records }: ZonesReading): Promise<Read> {
  const work = new LongWork();
  const indexes = new Map(zones.map(({ zone_id }, index) => [zone_id, index]));
  const digests: Record<string, number> = {};
  let at = 0;
  let zone = begin(zones[at]);
  let count = 0;
  /** Completes the zones before the one with this index, which is begun. */
  const move = (index: number) => {
    for (; at < index; zone = begin(zones[++at])) {
      const { zone_id, isNumbered } = zones[at]!;
      if (isNumbered && zone) digests[zone_id] = zone.value;
    }
  };
  for await (const rows of records()) {
    for (const record of rows) {
      const index = indexes.get(record.zone_id);
      // of a zone that is deleted or being loaded
      if (index === undefined) continue;
      const isNext = index > at;
      move(index);
      if (isNext && count >= mostRecords) return { zones: digests, last: zones[index - 1]!, more: true };
      zone?.add(record);
      count++;
    }
    await work.giveWay();
  }
  move(zones.length);
  return { zones: digests, last: zones.at(-1) ?? firstPlace, more: false };
}

const begin = (read: ReadZone | undefined) => read && ZoneDigest.of(read.zone, read.serial);
