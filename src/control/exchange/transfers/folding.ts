/** Folds the records of a whole zone into RRsets as they arrive, on their way into a load, keeping a few octets per name. */

import type { ResourceRecord } from "../../../dns/reply.ts";
import { types } from "../../../dns/types.ts";
import type { Name } from "../../../dns/wire/name.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import { hasType, OwnerTypes } from "../../zonefiles/loading/owners.ts";
import type { PlainRrset } from "../../zonefiles/loading/slices.ts";
import { besideCname, Contents } from "./contents.ts";

/** The limits of records held in memory because their RRset arrived in several pieces; the first piece is not among them. */
const mostScattered = { records: 20_000, octets: 8 * 1024 * 1024 };
/** Octets of data at one name between two checks of its limits. */
const checkAfter = 100_000;

export class Folding {
  /** Records of RRsets that were emitted before their last record arrived. Records of new RRsets may be among them. */
  readonly returned = new Contents();
  readonly #emit: (rrset: PlainRrset) => void;
  readonly #owners = new OwnerTypes();
  readonly #scattered = { records: 0, octets: 0 };
  /** The current name, its RRsets, and the types seen at it earlier, before records of other names. */
  #owner: Name = new Uint8Array(0);
  #open = new Contents();
  #before = 0;
  #unchecked = 0;

  /** `emit` is called once with each RRset, when its owner's records seem to be complete. */
  constructor(emit: (rrset: PlainRrset) => void) {
    this.#emit = emit;
  }

  /** Throws a WireError for data that cannot be served. */
  add(record: ResourceRecord): void {
    const { owner, type, rdata } = record;
    if (Buffer.compare(owner, this.#owner) !== 0) this.#goTo(owner);
    if (hasType(this.#before, type.code)) {
      this.#return(record);
      return;
    }
    const count = this.#open.rrsets.size;
    const rrset = this.#open.add(record);
    if (this.#open.rrsets.size > count) {
      const isCname = type === types.CNAME || hasType(this.#before, types.CNAME.code);
      if (this.#before !== 0 && isCname) throw besideCname(rrset.domain);
      this.#owners.add(owner, type.code);
    }
    this.#unchecked += rdata.length;
    if (this.#unchecked < checkAfter) return;
    this.#open.assertServable();
    this.#unchecked = 0;
  }

  /** Ends the zone after its last record. */
  end(): void {
    this.#open.assertServable();
    for (const rrset of this.#open.rrsets.values()) {
      if (rrset) this.#emit({ ...rrset, owner: this.#owner, rdata: [...rrset.data.values()] });
    }
    this.#open = new Contents();
    this.#unchecked = 0;
  }

  #goTo(owner: Name): void {
    this.end();
    this.#owner = owner;
    this.#before = this.#owners.of(owner);
  }

  #return(record: ResourceRecord): void {
    const { records, octets } = mostScattered;
    this.#scattered.records += 1;
    this.#scattered.octets += record.owner.length + record.rdata.length;
    if (this.#scattered.records > records || this.#scattered.octets > octets) {
      throw new WireError(
        `has more than ${records} records, or ${octets} octets, that are separated from other records with the same name and type`,
      );
    }
    this.returned.add(record);
  }
}
