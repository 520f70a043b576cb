/** A zone file as the zone and the records that it makes, checked by the rules that writes of records have. */
import { nameFromApi, nameToApi } from "../../dns/name.ts";
import { parseFields } from "../../dns/rdata/fields.ts";
import { toNumber } from "../../dns/rdata/numbers.ts";
import { types } from "../../dns/types.ts";
import { Reader, WireError } from "../../dns/wire.ts";
import type { Fault } from "../../dns/zonefile/entries.ts";
import type { FileRecord } from "../../dns/zonefile/records.ts";
import { ZoneFileReader } from "../../dns/zonefile/records.ts";
import { invalid, Problem } from "../../lib/problem.ts";
import type { Settings } from "../context.ts";
import { type RecordFields, readRecord } from "../records/fields.ts";
import { assertCompany } from "../records/rules.ts";
import type { ZoneBody } from "../zones/schema.ts";
import { type FileRrset, ZoneContents } from "./contents.ts";
import { limits } from "./limits.ts";
import { occludedIn } from "./occluded.ts";
import { Slices } from "./pause.ts";

export interface NewRecord {
  readonly domain: string;
  readonly type: string;
  readonly fields: RecordFields;
}

export interface ReadZone {
  /** What the SOA record says. */
  readonly body: ZoneBody;
  readonly records: readonly NewRecord[];
  readonly warnings: readonly string[];
}

/** Octets between two looks at the clock. */
const stepOctets = 16_384;

/** `progress` is told the part that is done, from 0 to 1. Throws `invalid` that lists what is wrong, line by line. */
export async function readZoneFile(
  zone: string,
  octets: Uint8Array,
  settings: Settings,
  progress: (done: number) => void,
): Promise<ReadZone> {
  const slices = new Slices();
  const contents = new ZoneContents(zone, settings.maxAnswers);
  const reader = new ZoneFileReader(nameFromApi(zone));
  try {
    for (let at = 0; at < octets.length; at += stepOctets) {
      for (const item of reader.push(octets.subarray(at, at + stepOctets))) contents.add(item);
      assertBounded(contents);
      progress(at / octets.length);
      await slices.pause();
    }
    for (const item of reader.end()) contents.add(item);
    assertBounded(contents);
  } catch (error) {
    if (error instanceof WireError) throw invalid(`the zone file ${error.message}`, { field: "zonefile" });
    throw error;
  }
  if (contents.faultCount === 0 && !contents.soa) {
    throw invalid(`the zone file has no SOA record at ${zone}`, { field: "zonefile" });
  }
  const records = await recordsOf(zone, contents, settings, slices);
  for (const { line, message } of occludedIn(zone, contents.rrsets.values())) contents.warn(line, message);
  if (contents.faultCount > 0 || !contents.soa) throw refusal(contents);
  return { body: bodyOf(contents.soa), records, warnings: warningsOf(contents) };
}

function assertBounded({ records }: ZoneContents): void {
  if (records > limits.records) {
    throw invalid(`the zone file has more than ${limits.records} records`, {
      field: "zonefile",
      limit: limits.records,
    });
  }
}

async function recordsOf(
  zone: string,
  contents: ZoneContents,
  settings: Settings,
  slices: Slices,
): Promise<NewRecord[]> {
  const records: NewRecord[] = [];
  const typesAt = new Map<string, string[]>();
  for (const rrset of contents.rrsets.values()) {
    const others = typesAt.get(rrset.domain) ?? [];
    try {
      assertCompany(rrset.type, rrset.domain, zone, others);
      records.push(recordOf(rrset, settings));
      typesAt.set(rrset.domain, [...others, rrset.type.name]);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      contents.fault(rrset.line, error.message);
    }
    await slices.pause();
  }
  return records;
}

const recordOf = ({ domain, type, ttl, answers }: FileRrset, settings: Settings): NewRecord => ({
  domain,
  type: type.name,
  fields: readRecord(type, { answers, ttl }, undefined, { ...settings, nx_ttl: ttl }),
});

/** The serial is the service's own, and the first field follows from the zone's networks. */
function bodyOf({ ttl, rdata }: FileRecord): ZoneBody {
  const [, rname, , refresh, retry, expiry, nx_ttl] = parseFields(types.SOA, new Reader(rdata));
  const number = (field: Uint8Array | undefined) => Math.min(toNumber(field!), 0x7fffffff);
  return {
    ttl,
    hostmaster: nameToApi(rname!),
    refresh: number(refresh),
    retry: number(retry),
    expiry: number(expiry),
    nx_ttl: number(nx_ttl),
  };
}

const told = ({ line, message }: Fault) => `line ${line}: ${message}`;

function warningsOf({ warnings, warningCount }: ZoneContents): string[] {
  const more = warningCount - warnings.length;
  return more === 0 ? warnings.map(told) : [...warnings.map(told), `and ${more} more`];
}

function refusal({ faults, faultCount }: ZoneContents): Problem {
  const sorted = faults.toSorted((a, b) => a.line - b.line);
  const [first] = sorted;
  const others = faultCount > 1 ? ` (and ${faultCount - 1} more)` : "";
  return invalid(`zone file ${told(first!)}${others}`, { field: "zonefile", line: first!.line, errors: sorted });
}
