/** Queries answered from one image: the counts of all workers, added up until they are reported. */
import { rcodeName } from "../../dns/wire/constants.ts";
import type { MissingRow, MixRow, UsageRow } from "../../sync/usage.ts";
import { typeAt } from "./counted-types.ts";
import type { UsageReader } from "./reader.ts";
import { kinds, partsOf, transports } from "./table.ts";

/** An image's mapping of zone numbers to names. */
export interface NumberedZones {
  zoneNumbers(): number;
  /** The name in the API's spelling; undefined for a removed zone. */
  zoneName(number: number): string | undefined;
}

export interface Read {
  /** Queries that were not counted. */
  readonly lost: number;
  /** The zones with the most queries. */
  readonly busiest: readonly { readonly zone: string; readonly queries: number }[];
}

const mostBusy = 20;
/** Queries in a sample for a missing name to be reported: names that are asked for once are endless. */
const leastMissing = 2;
/** Missing names in a report, and those of one zone. */
const mostMissing = 500;
const mostMissingOfZone = 20;

interface Missing {
  readonly number: number;
  readonly domain: string;
  readonly queries: number;
  readonly sampled: number;
}

export class ImageUsage {
  readonly #image: NumberedZones;
  readonly #readers: readonly UsageReader[];
  /** Queries in the current reading, by zone number. */
  #asked = new Float64Array(0);
  /** Queries not reported yet, by zone number; below 0 where rows of records, which are estimates, exceeded them. */
  #unreported = new Float64Array(0);
  readonly #records = new Map<string, UsageRow & { readonly number: number }>();
  /** By zone number and kind. */
  readonly #mix = new Map<number, number>();
  readonly #missing = new Map<string, Missing>();
  /** The zone at which the next report starts, so that every zone is reported in time. */
  #next = 0;

  constructor(image: NumberedZones, readers: readonly UsageReader[]) {
    this.#image = image;
    this.#readers = readers;
  }

  swap(): void {
    for (const reader of this.#readers) reader.swap();
  }

  hasPassed(): boolean {
    return this.#readers.every((reader) => reader.hasPassed());
  }

  /** Takes over the counts up to the last swap. */
  read(): Read {
    const zones = this.#image.zoneNumbers();
    let lost = 0;
    this.#makeRoom(zones);
    for (const reader of this.#readers) {
      lost += reader.read(zones, {
        zone: (zone, queries) => {
          this.#asked[zone]! += queries;
        },
        record: (zone, domain, type, queries) => this.#addRecord(zone, domain, type, queries),
        missing: (zone, domain, queries, sampled) => this.#addMissing(zone, domain, queries, sampled),
        mix: (zone, kind, queries) => {
          const key = zone * kinds + kind;
          this.#mix.set(key, (this.#mix.get(key) ?? 0) + queries);
        },
      });
    }
    return { lost, busiest: this.#settle(zones) };
  }

  /** Rows for all records, and for `most` zones; the next calls return the other zones. */
  rows(most: number): UsageRow[] {
    const rows: UsageRow[] = [];
    for (const { number, zone, domain, type, queries } of this.#records.values()) {
      this.#unreported[number]! -= queries;
      rows.push({ zone, domain, type, queries });
    }
    this.#records.clear();
    const { length } = this.#unreported;
    for (let read = 0, reported = 0; read < length && reported < most; read++) {
      const number = this.#next;
      this.#next = (number + 1) % length;
      const queries = this.#unreported[number]!;
      if (queries === 0) continue;
      this.#unreported[number] = 0;
      const zone = this.#image.zoneName(number);
      if (zone === undefined) continue;
      rows.push({ zone, domain: "", type: "", queries });
      reported++;
    }
    return rows;
  }

  /** Rows for all kinds of queries. */
  mix(): MixRow[] {
    const rows = [...this.#mix].flatMap(([key, queries]) => {
      const zone = this.#image.zoneName(Math.floor(key / kinds));
      const { type, rcode, transport } = partsOf(key % kinds);
      const named = { type: typeAt(type), rcode: rcodeName(rcode), transport: transports[transport]! };
      return zone === undefined ? [] : [{ zone, ...named, queries }];
    });
    this.#mix.clear();
    return rows;
  }

  /** Rows for the missing names that are asked for most: those of each zone in turn, so that none has all the room. */
  missing(): MissingRow[] {
    const repeated = [...this.#missing.values()].filter(({ sampled }) => sampled >= leastMissing);
    const byZone = Map.groupBy(repeated, ({ number }) => number);
    this.#missing.clear();
    const ranked = [...byZone].flatMap(([number, names]) => {
      const zone = this.#image.zoneName(number);
      const most = names.sort((a, b) => b.queries - a.queries).slice(0, mostMissingOfZone);
      return zone === undefined ? [] : most.map(({ domain, queries }, rank) => ({ rank, zone, domain, queries }));
    });
    const chosen = ranked.sort((a, b) => a.rank - b.rank || b.queries - a.queries).slice(0, mostMissing);
    return chosen.map(({ zone, domain, queries }) => ({ zone, domain, queries }));
  }

  #addMissing(number: number, domain: string, queries: number, sampled: number): void {
    const key = `${number}/${domain}`;
    const before = this.#missing.get(key);
    this.#missing.set(key, {
      ...{ number, domain },
      queries: queries + (before?.queries ?? 0),
      sampled: sampled + (before?.sampled ?? 0),
    });
  }

  #addRecord(number: number, domain: string, type: string, queries: number): void {
    const zone = this.#image.zoneName(number);
    if (zone === undefined) return;
    const key = `${number}/${domain}/${type}`;
    const before = this.#records.get(key);
    this.#records.set(key, { number, zone, domain, type, queries: queries + (before?.queries ?? 0) });
  }

  #settle(zones: number): Read["busiest"] {
    const top: { number: number; queries: number }[] = [];
    for (let number = 0; number < zones; number++) {
      const queries = this.#asked[number]!;
      if (queries === 0) continue;
      this.#asked[number] = 0;
      this.#unreported[number]! += queries;
      if (top.length === mostBusy && queries <= top.at(-1)!.queries) continue;
      top.push({ number, queries });
      top.sort((a, b) => b.queries - a.queries);
      top.length = Math.min(top.length, mostBusy);
    }
    return top.flatMap(({ number, queries }) => {
      const zone = this.#image.zoneName(number);
      return zone === undefined ? [] : [{ zone, queries }];
    });
  }

  #makeRoom(zones: number): void {
    if (zones <= this.#asked.length) return;
    // `#asked` is all zeros between two readings
    const room = Math.max(zones, 2 * this.#asked.length);
    this.#asked = new Float64Array(room);
    const unreported = new Float64Array(room);
    unreported.set(this.#unreported);
    this.#unreported = unreported;
  }
}
