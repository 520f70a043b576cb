/** Transferred resource records as records of a zone: gathered by name and type, and checked whether they can be served. */

import { rdataFromApi, rdataToApi } from "../../../dns/rdata/codec.ts";
import { parseFields } from "../../../dns/rdata/fields.ts";
import { toNumber } from "../../../dns/rdata/numbers.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import type { Step } from "../../../dns/transfer/reply.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { types } from "../../../dns/types.ts";
import { TypeCode } from "../../../dns/wire/constants.ts";
import { nameToApi } from "../../../dns/wire/name.ts";
import { Reader, WireError } from "../../../dns/wire/wire.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { recordKey } from "../../../sync/net-difference.ts";
import type { ZoneFields } from "../../write/history.ts";
import { isSingle } from "../../zones/model/record/rules.ts";

/** All data of one type at one name, keyed by the octets of the RDATA. */
export interface Rrset {
  readonly domain: string;
  readonly type: RecordType;
  ttl: number;
  readonly data: Map<string, Uint8Array>;
}

export const largestRrset = 60_000;
export const mostTypes = 200;

export class Contents {
  /** RRsets by record path; undefined for RRsets that are removed. */
  readonly rrsets = new Map<string, Rrset | undefined>();

  static of(records: readonly ResourceRecord[]): Contents {
    const contents = new Contents();
    for (const record of records) contents.add(record);
    contents.assertServable();
    return contents;
  }

  /** Applies the steps to these records, which must be all records at the names that the steps change. */
  static after(rows: readonly RecordRow[], steps: readonly Step[]): Contents {
    const contents = new Contents();
    for (const row of rows) contents.#load(row);
    for (const { removed, added } of steps) {
      for (const record of removed) contents.#remove(record);
      for (const record of added) contents.#insert(record);
    }
    contents.assertServable();
    return contents;
  }

  /** Returns the RRset to which the record was added. */
  add(record: ResourceRecord): Rrset {
    const { type, ttl, rdata } = record;
    assertServed(type);
    const rrset = this.#at(record);
    // RFC 2181 section 5.2: records of an RRset whose TTLs differ get the lowest
    rrset.ttl = rrset.data.size === 0 ? ttl : Math.min(rrset.ttl, ttl);
    rrset.data.set(keyOf(rdata), rdata);
    return rrset;
  }

  /** Throws a WireError for data that no message or image can hold, and for records that contradict each other. */
  assertServable(): void {
    const namesWith = new Map<string, RecordType[]>();
    for (const rrset of this.rrsets.values()) {
      if (!rrset) continue;
      assertRrset(rrset);
      const present = namesWith.get(rrset.domain);
      if (present) present.push(rrset.type);
      else namesWith.set(rrset.domain, [rrset.type]);
    }
    for (const [domain, present] of namesWith) {
      if (present.length > mostTypes) throw new WireError(`has more than ${mostTypes} types at ${domain}`);
      if (present.length > 1 && present.includes(types.CNAME)) throw besideCname(domain);
    }
  }

  #at({ owner, type }: ResourceRecord): Rrset {
    const domain = nameToApi(owner);
    const path = recordKey({ domain, type: type.name });
    const known = this.rrsets.get(path);
    if (known) return known;
    const rrset = { domain, type, ttl: 0, data: new Map<string, Uint8Array>() };
    this.rrsets.set(path, rrset);
    return rrset;
  }

  #load({ domain, type: name, ttl, answers }: RecordRow): void {
    const type = typeNamed(name);
    if (!type) return;
    const rdata = answers.map(({ answer }) => rdataFromApi(type, answer));
    this.rrsets.set(recordKey({ domain, type: name }), {
      domain,
      type,
      ttl,
      data: new Map(rdata.map((each) => [keyOf(each), each])),
    });
  }

  /** RFC 1995 section 4: removed records must exist, and added ones must not. */
  #remove(record: ResourceRecord): void {
    const path = pathOf(record);
    const rrset = this.rrsets.get(path);
    if (!rrset?.data.delete(keyOf(record.rdata))) throw new WireError("removes a record that does not exist");
    if (rrset.data.size === 0) this.rrsets.set(path, undefined);
  }

  #insert(record: ResourceRecord): void {
    const rrset = this.rrsets.get(pathOf(record));
    if (rrset?.data.has(keyOf(record.rdata))) throw new WireError("adds a record that already exists");
    this.add(record).ttl = record.ttl;
  }
}

const pathOf = ({ owner, type }: ResourceRecord) => recordKey({ domain: nameToApi(owner), type: type.name });

function assertRrset({ domain, type, data }: Rrset): void {
  let octets = 0;
  for (const rdata of data.values()) octets += rdata.length + 12;
  if (octets > largestRrset) throw new WireError(`has more than ${largestRrset} octets of ${domain} ${type.name}`);
  if (data.size > 1 && isSingle(type))
    throw new WireError(`has ${data.size} records of type ${type.name} at ${domain}`);
}

/** RFC 2181 section 10.1 */
export const besideCname = (domain: string) => new WireError(`has other records besides the CNAME record at ${domain}`);

/** Throws a WireError for types that are not data or cannot be answered correctly. */
function assertServed(type: RecordType): void {
  // without its signatures, validating clients would treat a signed zone as bogus
  if (type.code === TypeCode.RRSIG) throw new WireError("has a signed zone, which cannot be served yet");
  if (type.served !== "as-is" || !type.writable) throw new WireError(`has a record of type ${type.name}`);
}

/** The names that the steps change. */
export const namesIn = (steps: readonly Step[]): string[] => [
  ...new Set(steps.flatMap(({ removed, added }) => [...removed, ...added]).map(({ owner }) => nameToApi(owner))),
];

const keyOf = (rdata: Uint8Array) => Buffer.from(rdata).toString("latin1");

/** Whether a record has the same TTL and data as an RRset. */
export function isSame(row: RecordRow, { type, ttl, data }: Rrset): boolean {
  if (row.ttl !== ttl || row.answers.length !== data.size) return false;
  return row.answers.every(({ answer }) => data.has(keyOf(rdataFromApi(type, answer))));
}

export const answersOf = ({ type, data }: Rrset) => [...data.values()].map((rdata) => rdataToApi(type, rdata));

/** The fields of a zone that its SOA record sets. */
export function soaFields({ ttl, rdata }: ResourceRecord): Partial<ZoneFields> & { readonly serial: number } {
  const [mname, rname, ...numbers] = parseFields(types.SOA, new Reader(rdata));
  const [serial = 0, refresh = 0, retry = 0, expiry = 0, nx_ttl = 0] = numbers.map(toNumber);
  return {
    ttl,
    primary_master: nameToApi(mname!),
    hostmaster: nameToApi(rname!),
    serial,
    refresh,
    retry,
    expiry,
    nx_ttl,
  };
}
