/** Gathers a zone file into complete RRsets, its SOA record, and faults and warnings with their lines. */

import { rdataToApi } from "../../../dns/rdata/codec.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { types } from "../../../dns/types.ts";
import { isSubdomain, lowerName, type Name, nameFromApi, nameToApi } from "../../../dns/wire/name.ts";
import type { Fault } from "../../../dns/zonefile/entries.ts";
import type { FileItem, FileRecord } from "../../../dns/zonefile/records.ts";
import { invalid, Problem } from "../../../lib/problem.ts";
import { assertAnswers } from "../../zones/model/record/fields.ts";
import { assertCompatible, assertWritable } from "../../zones/model/record/rules.ts";
import { hasType, OwnerTypes, typesOf } from "../loading/owners.ts";
import type { PlainRrset } from "../loading/slices.ts";
import { fileLimits } from "./limits.ts";
import { Occluded } from "./occluded.ts";

interface FileRrset extends PlainRrset {
  /** The line of the first record. */
  readonly line: number;
  readonly rdata: Uint8Array[];
}

export interface ContentsOptions {
  readonly zone: string;
  readonly mostAnswers: number;
  /** Takes the good lines of a file, and leaves out the others. */
  readonly partial: boolean;
  /** Called once with each RRset, when it is complete. */
  readonly emit: (rrset: PlainRrset) => void;
  /** The keys of RRsets whose records are scattered over the file; they are complete at the end of the file. */
  readonly scattered: ReadonlySet<string>;
}

/**
 * An RRset is complete when the file continues with another owner. If more of its records follow later, its key is added
 * to `returning`, and the file must be read again with those keys as `scattered`.
 */
export class ZoneContents {
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  /** The numbers of faults and warnings, including those beyond the limit, which are not kept. */
  faultCount = 0;
  warningCount = 0;
  records = 0;
  rrsets = 0;
  soa: FileRecord | undefined;
  readonly returning = new Set<string>();
  readonly #options: ContentsOptions;
  readonly #apex: Name;
  readonly #owners = new OwnerTypes();
  readonly #occluded: Occluded;
  readonly #warned = new Set<string>();
  readonly #scattered = new Map<string, FileRrset>();
  /** The RRsets of the current owner, by type. */
  #open = new Map<number, FileRrset>();
  #spelled: Name | undefined;
  #owner: Name = new Uint8Array(0);
  #domain = "";
  /** The types seen at the current owner earlier in the file, before records of other owners. */
  #before = 0;

  constructor(options: ContentsOptions) {
    this.#options = options;
    this.#apex = nameFromApi(options.zone);
    this.#occluded = new Occluded(this.#apex, this.#owners);
  }

  add(item: FileItem): void {
    if ("fault" in item) this.#addFault(item.fault);
    else if ("warning" in item) this.#warnOnce(item.warning.line, item.warning.message);
    else this.#addRecord(item.record);
  }

  #addFault({ line, message, spoils }: Fault): void {
    if (spoils && this.#options.partial) {
      const text = `zone file line ${line}: ${message}: the lines after it cannot be read without it`;
      throw invalid(text, { field: "zonefile", line });
    }
    this.fault(line, message);
  }

  fault(line: number, message: string): void {
    this.faultCount += 1;
    if (this.faults.length < fileLimits.messages) this.faults.push({ line, message });
  }

  warn(line: number, message: string): void {
    this.warningCount += 1;
    if (this.warnings.length < fileLimits.messages) this.warnings.push({ line, message });
  }

  /** Reports the same message only once, for its first line. */
  #warnOnce(line: number, message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.warn(line, message);
  }

  /** Ends the file. Yields after each scattered RRset that is completed. */
  *end(): Generator<undefined> {
    this.#completeOwner();
    for (const rrset of this.#scattered.values()) {
      this.#complete(rrset);
      yield undefined;
    }
    for (const { line, message } of this.#occluded.rest()) this.warn(line, message);
  }

  #addRecord(record: FileRecord): void {
    const { zone } = this.#options;
    const { line, owner, type } = record;
    // lines that take their name from the line before share its object
    if (owner !== this.#spelled) {
      if (!isSubdomain(owner, this.#apex)) {
        this.warn(line, `${nameToApi(owner)} is outside the zone ${zone}: left out`);
        return;
      }
      this.#goTo(owner);
    }
    this.records += 1;
    if (this.records > fileLimits.records) throw tooMany();
    if (type === types.SOA) this.#addSoa(record);
    else if (type === types.NS && this.#domain === zone) this.#warnOnce(line, serversReplaced);
    else this.#addAnswer(record);
  }

  #goTo(owner: Name): void {
    const name = lowerName(owner);
    this.#spelled = owner;
    if (Buffer.compare(name, this.#owner) === 0) return;
    this.#completeOwner();
    this.#owner = name;
    this.#domain = nameToApi(name);
    this.#before = this.#owners.of(name);
  }

  #addSoa(record: FileRecord): void {
    const domain = this.#domain;
    if (domain !== this.#options.zone) this.fault(record.line, `an SOA record at ${domain}, below the zone's apex`);
    else if (this.soa === undefined) this.soa = record;
    // a transfer printed by dig ends with the SOA record that it began with
    else if (Buffer.compare(this.soa.rdata, record.rdata) !== 0) {
      this.fault(record.line, `a second SOA record; the first is in line ${this.soa.line}`);
    }
  }

  #addAnswer({ line, type, ttl, rdata }: FileRecord): void {
    const rrset = this.#open.get(type.code) ?? this.#begin(line, type, ttl);
    if (!rrset) return;
    if (ttl !== rrset.ttl) {
      this.warn(line, `${nameOf(rrset)}: TTL ${ttl} is set to ${rrset.ttl}, that of line ${rrset.line}`);
    }
    if (rrset.rdata.some((other) => Buffer.compare(other, rdata) === 0)) {
      this.warn(line, `${nameOf(rrset)}: duplicate data: left out`);
    } else if (rrset.rdata.length < this.#options.mostAnswers) {
      rrset.rdata.push(rdata);
    } else {
      this.fault(line, `${nameOf(rrset)}: at most ${this.#options.mostAnswers} answers per record`);
    }
  }

  /** Returns undefined when the RRset is not allowed or is read later. */
  #begin(line: number, type: RecordType, ttl: number): FileRrset | undefined {
    if (!this.#passes(line, () => assertImportable(type))) return undefined;
    const rrset = { line, owner: this.#owner, domain: this.#domain, type, ttl, rdata: [] };
    return hasType(this.#before, type.code) ? this.#return(rrset) : this.#insert(rrset);
  }

  #insert(rrset: FileRrset): FileRrset | undefined {
    const { line, type, domain, owner } = rrset;
    const others = typesOf(this.#owners.of(owner));
    if (!this.#passes(line, () => assertCompatible(type, domain, this.#options.zone, others))) return undefined;
    this.#owners.add(owner, type.code);
    const occluded = this.#occluded.add(rrset);
    if (occluded) this.warn(line, occluded.message);
    this.rrsets++;
    if (this.#isScattered(rrset)) this.#scattered.set(nameOf(rrset), rrset);
    this.#open.set(type.code, rrset);
    return rrset;
  }

  /** Handles a type that was seen at the owner earlier in the file, or that shares a bit with such a type. */
  #return(rrset: FileRrset): FileRrset | undefined {
    const key = nameOf(rrset);
    const known = this.#scattered.get(key);
    if (known) {
      this.#open.set(known.type.code, known);
      return known;
    }
    if (this.#options.scattered.has(key)) return this.#insert(rrset);
    this.returning.add(key);
    if (this.returning.size > fileLimits.scattered) throw tooScattered();
    return undefined;
  }

  /** Checks the size of the set first, because few files have scattered RRsets. */
  #isScattered(rrset: FileRrset): boolean {
    const { scattered } = this.#options;
    return scattered.size > 0 && scattered.has(nameOf(rrset));
  }

  #completeOwner(): void {
    for (const rrset of this.#open.values()) if (!this.#isScattered(rrset)) this.#complete(rrset);
    this.#open.clear();
  }

  #complete(rrset: FileRrset): void {
    if (this.returning.size > 0) return;
    const { line, type, rdata } = rrset;
    if (rdata.length > 1 || rdata[0]!.length > plainlySmall) {
      const isGood = this.#passes(line, () => {
        const answers = rdata.map((octets) => ({ id: "", answer: rdataToApi(type, octets) }));
        assertAnswers(type, { answers, regions: {}, meta: {}, filters: [] });
      });
      if (!isGood) {
        this.rrsets--;
        return;
      }
    }
    if (this.#options.partial || this.faultCount === 0) this.#options.emit(rrset);
  }

  /** Returns false when the check throws a Problem, which becomes a fault of the line. */
  #passes(line: number, check: () => void): boolean {
    try {
      check();
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.fault(line, error.message);
      return false;
    }
  }
}

/** RDATA of one answer up to this many octets is far below every limit of a record. */
const plainlySmall = 4096;

const nameOf = ({ domain, type }: PlainRrset) => `${domain} ${type.name}`;

const serversReplaced = "NS records at the apex are replaced by those of the zone's networks";

const tooMany = () =>
  invalid(`the zone file has more than ${fileLimits.records} records`, {
    field: "zonefile",
    limit: fileLimits.records,
  });

const tooScattered = () =>
  invalid(
    `the records of more than ${fileLimits.scattered} names and types are scattered over the zone file: sort it by name`,
    { field: "zonefile", limit: fileLimits.scattered },
  );

function assertImportable(type: RecordType): void {
  assertWritable(type);
  if (type.served !== "as-is") throw invalid(`${type.name} is not a type of zone files`);
}
