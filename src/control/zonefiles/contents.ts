/** What a zone file says, gathered record by record: the SOA record, RRsets, faults and warnings with their lines. */
import { isDeepStrictEqual } from "node:util";
import { isSubdomain, lowerName, type Name, nameFromApi, nameToApi } from "../../dns/name.ts";
import { type RecordType, rdataToApi, types } from "../../dns/types.ts";
import type { Fault } from "../../dns/zonefile/entries.ts";
import type { FileItem, FileRecord } from "../../dns/zonefile/records.ts";
import { Problem } from "../../lib/problem.ts";
import type { StoredAnswer } from "../../storage/tables.ts";
import { assertWritable } from "../records/rules.ts";
import { limits } from "./limits.ts";

/** All records of one type at one name, which become the answers of one record. */
export interface FileRrset {
  /** Of the first. */
  readonly line: number;
  /** In canonical spelling. */
  readonly domain: string;
  readonly type: RecordType;
  readonly ttl: number;
  readonly answers: Pick<StoredAnswer, "answer">[];
}

export class ZoneContents {
  readonly faults: Fault[] = [];
  readonly warnings: Fault[] = [];
  /** More faults or warnings than are kept. */
  faultCount = 0;
  warningCount = 0;
  records = 0;
  soa: FileRecord | undefined;
  readonly rrsets = new Map<string, FileRrset>();
  readonly #zone: string;
  readonly #apex: Name;
  readonly #maxAnswers: number;
  readonly #told = new Set<string>();
  #owner: Name | undefined;
  #domain = "";

  constructor(zone: string, maxAnswers: number) {
    this.#zone = zone;
    this.#apex = nameFromApi(zone);
    this.#maxAnswers = maxAnswers;
  }

  add(item: FileItem): void {
    if ("fault" in item) this.fault(item.fault.line, item.fault.message);
    else if ("warning" in item) this.#warnOnce(item.warning.line, item.warning.message);
    else this.#addRecord(item.record);
  }

  fault(line: number, message: string): void {
    this.faultCount += 1;
    if (this.faults.length < limits.messages) this.faults.push({ line, message });
  }

  warn(line: number, message: string): void {
    this.warningCount += 1;
    if (this.warnings.length < limits.messages) this.warnings.push({ line, message });
  }

  /** The same message is told for its first line. */
  #warnOnce(line: number, message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.warn(line, message);
  }

  #addRecord(record: FileRecord): void {
    const { line, owner, type } = record;
    if (!isSubdomain(owner, this.#apex)) {
      this.warn(line, `${nameToApi(owner)} is outside the zone ${this.#zone}: left out`);
      return;
    }
    this.records += 1;
    if (this.records > limits.records) return;
    const domain = this.#domainOf(owner);
    if (type === types.SOA) this.#addSoa(record, domain);
    else if (type === types.NS && domain === this.#zone) this.#warnOnce(line, serversReplaced);
    else this.#addAnswer(record, domain);
  }

  #domainOf(owner: Name): string {
    // lines of one name have the same object, when only the first names it
    if (owner !== this.#owner) this.#domain = nameToApi(lowerName(owner));
    this.#owner = owner;
    return this.#domain;
  }

  #addSoa(record: FileRecord, domain: string): void {
    if (domain !== this.#zone) this.fault(record.line, `an SOA record at ${domain}, below the zone's apex`);
    else if (this.soa === undefined) this.soa = record;
    // what dig prints of a transfer ends with the SOA record that it began with
    else if (Buffer.compare(this.soa.rdata, record.rdata) !== 0) {
      this.fault(record.line, `a second SOA record; the first is in line ${this.soa.line}`);
    }
  }

  #addAnswer({ line, type, ttl, rdata }: FileRecord, domain: string): void {
    const rrset = this.#rrsetOf(line, type, ttl, domain);
    if (!rrset) return;
    const name = `${domain} ${type.name}`;
    if (ttl !== rrset.ttl) this.warn(line, `${name}: TTL ${ttl} is set to ${rrset.ttl}, that of line ${rrset.line}`);
    const answer = rdataToApi(type, rdata);
    if (rrset.answers.some((other) => isDeepStrictEqual(other.answer, answer))) {
      this.warn(line, `${name}: the same data are there already: left out`);
    } else if (rrset.answers.length < this.#maxAnswers) {
      rrset.answers.push({ answer });
    } else {
      this.fault(line, `${name}: a record has up to ${this.#maxAnswers} answers`);
    }
  }

  /** Undefined when there may be none. */
  #rrsetOf(line: number, type: RecordType, ttl: number, domain: string): FileRrset | undefined {
    const key = `${domain} ${type.name}`;
    const known = this.rrsets.get(key);
    if (known) return known;
    const refused = refusedType(type);
    if (refused !== undefined) {
      this.fault(line, refused);
      return undefined;
    }
    const rrset = { line, domain, type, ttl, answers: [] };
    this.rrsets.set(key, rrset);
    return rrset;
  }
}

const serversReplaced = "NS records at the apex are replaced by those of the zone's networks";

function refusedType(type: RecordType): string | undefined {
  try {
    assertWritable(type);
    return type.served === "as-is" ? undefined : `${type.name} is not a type of zone files`;
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}
