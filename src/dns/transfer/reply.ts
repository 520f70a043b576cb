/** Reads the messages of a zone transfer (RFC 5936, RFC 1995): a whole zone, differences, or no change. */
import { isLaterSerial } from "../../lib/serial.ts";
import { parseRdata } from "../rdata/codec.ts";
import type { ResourceRecord } from "../reply.ts";
import { typeCoded } from "../type-names.ts";
import { types } from "../types.ts";
import { Class, Rcode, rcodeName, TypeCode } from "../wire/constants.ts";
import { Flag } from "../wire/message.ts";
import { compareNames, isSubdomain, lowerName, type Name } from "../wire/name.ts";
import { Reader, WireError } from "../wire/wire.ts";

/** The difference between two serials. */
export interface Step {
  readonly removed: ResourceRecord[];
  readonly added: ResourceRecord[];
}

export type Transferred =
  | { readonly kind: "current"; readonly serial: number }
  | { readonly kind: "whole"; readonly soa: ResourceRecord; readonly records: readonly ResourceRecord[] }
  | { readonly kind: "steps"; readonly soa: ResourceRecord; readonly steps: readonly Step[] };

export interface TransferQuery {
  readonly id: number;
  /** Lower case. */
  readonly zone: Name;
  /** The serial from which changes are requested; undefined in a request for the whole zone. */
  readonly since: number | undefined;
}

export interface TransferLimits {
  readonly records: number;
  /** Octets of the messages, or of their uncompressed owner names and RDATA if those are more. */
  readonly octets: number;
}

type State = "first" | "second" | "whole" | "removing" | "adding" | "complete";

/** Reads the messages of a transfer, in order. Throws a WireError for an invalid message. */
export class TransferReader {
  readonly #query: TransferQuery;
  readonly #limits: TransferLimits;
  #state: State = "first";
  #soa: ResourceRecord | undefined;
  #records: ResourceRecord[] = [];
  readonly #steps: Step[] = [];
  #isWhole = false;
  /** The serial at the end of the last step. */
  #serial = 0;
  #count = 0;
  #octets = 0;

  constructor(query: TransferQuery, limits: TransferLimits) {
    this.#query = query;
    this.#limits = limits;
  }

  /** The SOA record of the new version, which is the first record; undefined before it was read. */
  get soa(): ResourceRecord | undefined {
    return this.#soa;
  }

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /** Reads a message. Returns the records and octets that it adds to the transfer. */
  take(message: Uint8Array): TransferLimits {
    const [records, octets] = [this.#count, this.#octets];
    const reader = new Reader(message);
    const answers = this.#header(reader);
    for (let i = 0; i < answers; i++) this.#record(reader);
    this.#measure(0, Math.max(0, octets + message.length - this.#octets));
    this.#endCurrent();
    return { records: this.#count - records, octets: this.#octets - octets };
  }

  #endCurrent(): void {
    // RFC 1995 section 2: a single SOA record with a serial that is not newer means that there are no changes
    const { since } = this.#query;
    if (this.#state !== "second" || since === undefined || !this.#soa) return;
    if (!isLaterSerial(serialOf(this.#soa), since)) this.#state = "complete";
  }

  /** Whether the transfer is a whole zone; false before its second record. */
  get isWhole(): boolean {
    return this.#state === "whole" || this.#isWhole;
  }

  /** Removes and returns the records of a whole zone read since the last call; `result` does not contain them. */
  drain(): readonly ResourceRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** The result of the transfer. Throws a WireError when the transfer is incomplete. */
  result(): Transferred {
    const soa = this.#soa;
    if (!soa || !this.isComplete) throw new WireError("ends before the last SOA record");
    if (this.#steps.length > 0) return { kind: "steps", soa, steps: this.#steps };
    return this.#isWhole ? { kind: "whole", soa, records: this.#records } : { kind: "current", serial: serialOf(soa) };
  }

  /** Returns the number of records in the answer section. */
  #header(reader: Reader): number {
    const { id, zone } = this.#query;
    const [answerId, flags] = [reader.u16(), reader.u16()];
    const [questions, answers] = [reader.u16(), reader.u16()];
    reader.u32();
    if (answerId !== id || (flags & Flag.QR) === 0) throw new WireError("is not a reply to our query");
    const rcode = flags & 15;
    if (rcode !== Rcode.NOERROR) throw new WireError(`answered with ${rcodeName(rcode)}`);
    if ((flags & Flag.TC) !== 0) throw new WireError("is truncated");
    for (let i = 0; i < questions; i++) {
      if (compareNames(reader.name(), zone) !== 0) throw new WireError("has a question about another zone");
      reader.u32();
    }
    if (this.isComplete && answers > 0) throw new WireError("continues after its end");
    return answers;
  }

  #record(reader: Reader): void {
    const owner = lowerName(reader.name());
    const [type, rrClass, ttl] = [typeCoded(reader.u16()), reader.u16(), reader.u32()];
    const rdata = reader.slice(reader.u16());
    this.#measure(1, owner.length + rdata.left);
    if (rrClass !== Class.IN) throw new WireError("has a record whose class is not IN");
    // RFC 2181 section 8: a TTL with its highest bit set is 0
    const record = { owner, type, ttl: ttl > 0x7fffffff ? 0 : ttl, rdata: parseRdata(type, rdata) };
    if (!isSubdomain(owner, this.#query.zone)) throw new WireError("has a record outside the zone");
    if (type.code === TypeCode.SOA) this.#soaRecord(record);
    else this.#plainRecord(record);
  }

  #measure(records: number, octets: number): void {
    this.#count += records;
    this.#octets += octets;
    if (this.#count > this.#limits.records) throw new WireError(`has more than ${this.#limits.records} records`);
    if (this.#octets > this.#limits.octets) throw new WireError(`has more than ${this.#limits.octets} octets`);
  }

  #soaRecord(record: ResourceRecord): void {
    if (compareNames(record.owner, this.#query.zone) !== 0) throw new WireError("has an SOA record of another name");
    const serial = serialOf(record);
    switch (this.#state) {
      case "first":
        this.#soa = record;
        this.#state = "second";
        break;
      case "second":
        // RFC 1995 section 4: differences begin with the old SOA record; an empty zone ends with its second SOA record
        if (this.#query.since !== undefined && serial !== serialOf(this.#soa!)) this.#begin(serial);
        else this.#endWhole(serial);
        break;
      case "whole":
        this.#endWhole(serial);
        break;
      case "removing":
        this.#serial = serial;
        this.#state = "adding";
        break;
      case "adding":
        if (serial !== this.#serial) throw new WireError("has differences that do not follow each other");
        if (serial === serialOf(this.#soa!)) this.#state = "complete";
        else this.#begin(serial);
        break;
      default:
        throw new WireError("continues after its end");
    }
  }

  #begin(serial: number): void {
    if (this.#steps.length === 0 && serial !== this.#query.since)
      throw new WireError("has differences from another serial");
    this.#steps.push({ removed: [], added: [] });
    this.#state = "removing";
  }

  #endWhole(serial: number): void {
    if (serial !== serialOf(this.#soa!)) throw new WireError("ends with another SOA record than it began with");
    this.#isWhole = true;
    this.#state = "complete";
  }

  #plainRecord(record: ResourceRecord): void {
    switch (this.#state) {
      case "second":
        this.#state = "whole";
        this.#records.push(record);
        break;
      case "whole":
        this.#records.push(record);
        break;
      case "removing":
        this.#steps.at(-1)!.removed.push(record);
        break;
      case "adding":
        this.#steps.at(-1)!.added.push(record);
        break;
      case "first":
        throw new WireError("does not begin with an SOA record");
      default:
        throw new WireError("continues after its end");
    }
  }
}

/** The serial of an SOA record. */
export function serialOf({ rdata }: ResourceRecord): number {
  const view = new DataView(rdata.buffer, rdata.byteOffset, rdata.byteLength);
  return view.getUint32(rdata.length - 20);
}

/** The SOA record in the answer to an ordinary SOA query. */
export function soaIn(answer: readonly ResourceRecord[], zone: Name): ResourceRecord | undefined {
  return answer.find(({ owner, type }) => type === types.SOA && compareNames(owner, zone) === 0);
}
