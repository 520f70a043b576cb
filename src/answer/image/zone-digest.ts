/** The digest of a zone, made from its fields and records as an image would make it. */
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { invalid } from "../../lib/problem.ts";
import { NameKey } from "./memory/key.ts";
import { type DigestedZone, digestedState, digestOf, emptySum, replaceIn } from "./rrset/digest.ts";
import { partOf } from "./rrset/parts.ts";
import { rrsetOf } from "./rrset/rrset.ts";
import { soaOf } from "./rrset/soa.ts";
import type { ImageRecord, ImageZone } from "./rrset/source.ts";

export class ZoneDigest {
  readonly #zone: DigestedZone;
  readonly #sum = emptySum();
  readonly #apex = new NameKey(0, 0);
  readonly #key = new NameKey(0, 0);

  /** Throws a Problem for a zone that an image refuses. */
  constructor(zone: ImageZone, serial: number) {
    const { link } = zone;
    this.#apex.load(nameFromApi(zone.zone), 0);
    if (link) this.#key.load(nameFromApi(link), 0);
    this.#zone = {
      soa: partOf(soaOf(zone, serial)),
      state: link ? 0 : digestedState(zone),
      link: link ? this.#key.octets.slice(0, this.#key.length) : undefined,
    };
  }

  /** Throws a Problem for a record that an image leaves out. */
  add(record: ImageRecord): void {
    const rrset = rrsetOf(record);
    if (!rrset || rrset.type === TypeCode.SOA) return;
    this.#key.load(nameFromApi(record.domain), 0);
    const below = this.#key.labels - this.#apex.labels;
    if (below < 0 || !this.#key.sameFrom(below, this.#apex, 0)) {
      throw invalid(`"${record.domain}" is not in the zone of its record`, { field: "domain" });
    }
    replaceIn(this.#sum, 0, this.#key, undefined, rrset);
  }

  get value(): number {
    return digestOf(this.#sum, 0, this.#zone);
  }
}
