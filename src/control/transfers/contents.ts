/** Transferred records as the records of a zone: gathered by name and type, and checked as far as we can serve them. */
import { nameToApi } from "../../dns/name.ts";
import { parseFields } from "../../dns/rdata/fields.ts";
import { toNumber } from "../../dns/rdata/numbers.ts";
import type { ResourceRecord } from "../../dns/reply.ts";
import type { Step } from "../../dns/transfer/reply.ts";
import { type RecordType, rdataFromApi, rdataToApi, typeNamed, types } from "../../dns/types.ts";
import { Reader, WireError } from "../../dns/wire.ts";
import type { RecordRow } from "../records/store.ts";
import type { ZoneFields } from "../zones/fields.ts";

/** All data of one type at one name: RDATA by its octets. */
export interface Rrset {
  readonly domain: string;
  readonly type: RecordType;
  ttl: number;
  readonly data: Map<string, Uint8Array>;
}

export const placeOf = (domain: string, type: string) => `${domain} ${type}`;

const largestRrset = 60_000;
const mostTypes = 200;

export class Contents {
  /** By place; undefined for what is no longer there. */
  readonly rrsets = new Map<string, Rrset | undefined>();

  static of(records: readonly ResourceRecord[]): Contents {
    const contents = new Contents();
    for (const record of records) contents.add(record);
    contents.assertServable();
    return contents;
  }

  /** What the steps leave of these records, which are all that stand where the steps change something. */
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

  add(record: ResourceRecord): void {
    const { type, ttl, rdata } = record;
    if (type.served !== "as-is" || !type.writable) throw new WireError(`has a record of type ${type.name}`);
    const rrset = this.#at(record);
    // RFC 2181 section 5.2: records that should have one TTL and do not get the least
    rrset.ttl = rrset.data.size === 0 ? ttl : Math.min(rrset.ttl, ttl);
    rrset.data.set(keyOf(rdata), rdata);
  }

  /** Throws a WireError for what no message or image can hold. */
  assertServable(): void {
    const typesAt = new Map<string, number>();
    for (const rrset of this.rrsets.values()) {
      if (!rrset) continue;
      let octets = 0;
      for (const rdata of rrset.data.values()) octets += rdata.length + 12;
      if (octets > largestRrset)
        throw new WireError(`has more than ${largestRrset} octets of ${rrset.domain} ${rrset.type.name}`);
      const count = (typesAt.get(rrset.domain) ?? 0) + 1;
      if (count > mostTypes) throw new WireError(`has more than ${mostTypes} types at ${rrset.domain}`);
      typesAt.set(rrset.domain, count);
    }
  }

  #at({ owner, type }: ResourceRecord): Rrset {
    const domain = nameToApi(owner);
    const place = placeOf(domain, type.name);
    const known = this.rrsets.get(place);
    if (known) return known;
    const rrset = { domain, type, ttl: 0, data: new Map<string, Uint8Array>() };
    this.rrsets.set(place, rrset);
    return rrset;
  }

  #load({ domain, type: name, ttl, answers }: RecordRow): void {
    const type = typeNamed(name);
    if (!type) return;
    const rdata = answers.map(({ answer }) => rdataFromApi(type, answer));
    this.rrsets.set(placeOf(domain, name), {
      domain,
      type,
      ttl,
      data: new Map(rdata.map((each) => [keyOf(each), each])),
    });
  }

  /** RFC 1995 section 4: what is to be removed is there, and what is to be added is not. */
  #remove(record: ResourceRecord): void {
    const place = placeOf(nameToApi(record.owner), record.type.name);
    const rrset = this.rrsets.get(place);
    if (!rrset?.data.delete(keyOf(record.rdata))) throw new WireError("removes a record that is not there");
    if (rrset.data.size === 0) this.rrsets.set(place, undefined);
  }

  #insert(record: ResourceRecord): void {
    const rrset = this.rrsets.get(placeOf(nameToApi(record.owner), record.type.name));
    if (rrset?.data.has(keyOf(record.rdata))) throw new WireError("adds a record that is there already");
    this.add(record);
    this.#at(record).ttl = record.ttl;
  }
}

/** Names and types that the steps change. */
export function placesOf(steps: readonly Step[]): { readonly domain: string; readonly type: string }[] {
  const places = new Map<string, { domain: string; type: string }>();
  for (const { owner, type } of steps.flatMap(({ removed, added }) => [...removed, ...added])) {
    const domain = nameToApi(owner);
    places.set(placeOf(domain, type.name), { domain, type: type.name });
  }
  return [...places.values()];
}

const keyOf = (rdata: Uint8Array) => Buffer.from(rdata).toString("latin1");

/** Whether a record says what an RRset does. */
export function isSame(row: RecordRow, { type, ttl, data }: Rrset): boolean {
  if (row.ttl !== ttl || row.answers.length !== data.size) return false;
  return row.answers.every(({ answer }) => data.has(keyOf(rdataFromApi(type, answer))));
}

export const answersOf = ({ type, data }: Rrset) => [...data.values()].map((rdata) => rdataToApi(type, rdata));

/** The fields of a zone that its SOA record says. */
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
