/** A worker's side of the counts: exact by zone, samples by record, by missing name and by kind. */
import type { NameKey } from "../../answer/image/memory/key.ts";
import type { Found } from "../../answer/lookup/lookup.ts";
import type { Random } from "../../lib/random.ts";
import type { Transport } from "../serve/options.ts";
import { typeIndex } from "./counted-types.ts";
import { MixSample } from "./mix-sample.ts";
import { NameSample } from "./name-sample.ts";
import { kindOf, mostZones, transports, type UsageShare, type UsageTable } from "./table.ts";

export class UsageWriter {
  readonly #share: UsageShare;
  readonly #records: NameSample;
  readonly #missing: NameSample;
  readonly #mix: MixSample;
  #epoch: number;
  #table: UsageTable;

  constructor(share: UsageShare, random: Random) {
    this.#share = share;
    this.#epoch = Atomics.load(share.epoch, 0);
    this.#table = share.tables[this.#epoch & 1]!;
    const { records, missing, mix } = this.#table;
    this.#records = new NameSample(records, random);
    this.#missing = new NameSample(missing, random);
    this.#mix = new MixSample(mix, random);
  }

  /** Must be called before each batch, after the worker has marked itself busy: the reader waits for that mark. */
  begin(): void {
    const epoch = Atomics.load(this.#share.epoch, 0);
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#table = this.#share.tables[epoch & 1]!;
    this.#records.begin(this.#table.records);
    this.#missing.begin(this.#table.missing);
    this.#mix.begin(this.#table.mix);
  }

  /** Counts a query that was looked up in the zone with this number. */
  count(zone: number, found: Found, name: NameKey): void {
    if (zone >= mostZones) {
      this.#table.uncounted[0]!++;
      return;
    }
    this.#table.zones[zone]!++;
    if (found.state === "nxdomain") {
      if (this.#missing.isDue()) this.#missing.add(zone, 0, name, 0, 0);
    } else if (this.#records.isDue()) this.#addRecord(zone, found, name);
  }

  /** Counts the answer to a query that was counted for the zone with this number. */
  answered(zone: number, qtype: number, rcode: number, transport: Transport): void {
    if (zone >= mostZones || !this.#mix.isDue()) return;
    this.#mix.add(zone, kindOf(typeIndex(qtype), rcode, transports.indexOf(transport)));
  }

  #addRecord(zone: number, found: Found, name: NameKey): void {
    const wildcard = found.wildcard ? 1 : 0;
    switch (found.state) {
      case "expired":
      case "refused":
      case "shut":
      case "nodata":
      case "any":
        return;
      case "delegation":
      case "dname":
        this.#records.add(zone, found.rrset.type, name, found.label, wildcard);
        return;
      default:
        this.#records.add(zone, found.rrset.type, name, found.wildcard ? found.encloser : 0, wildcard);
    }
  }
}
