/** Reads a zone file from octets into slices of a load, by the same rules as writes of records. */

import { parseFields } from "../../../dns/rdata/fields.ts";
import { toNumber } from "../../../dns/rdata/numbers.ts";
import { types } from "../../../dns/types.ts";
import { nameFromApi, nameToApi } from "../../../dns/wire/name.ts";
import { Reader, WireError } from "../../../dns/wire/wire.ts";
import type { Fault } from "../../../dns/zonefile/entries.ts";
import { type FileItem, type FileRecord, ZoneFileReader } from "../../../dns/zonefile/records.ts";
import { invalid, type Problem } from "../../../lib/problem.ts";
import type { LoadHead, LoadSlice } from "../../../storage/loads.ts";
import { type Access, reachesAll, reachesRecord } from "../../access/access.ts";
import { closedRecord } from "../../access/caller.ts";
import { defaults } from "../../zones/model/zone/fields.ts";
import type { ZoneBody } from "../../zones/model/zone/schema.ts";
import { type PlainRrset, SliceWriter } from "../loading/slices.ts";
import { ZoneContents } from "./contents.ts";

export interface ReadOptions {
  readonly zone: string;
  readonly mostAnswers: number;
  /** Takes the good lines of a file, and leaves out the others with warnings. */
  readonly partial?: boolean;
  /** The access of the caller, who must be allowed to write all records. */
  readonly access: Access;
  readonly head: LoadHead;
}

export interface ReadZone {
  /** The zone's fields from the SOA record. */
  readonly body: ZoneBody;
  /** The number of records in the API's sense: one for each name and type. */
  readonly records: number;
  readonly warnings: readonly string[];
}

/** A step of reading a file: a slice, or the notice that all earlier slices are invalid because reading starts again. */
export type ReadStep = { readonly slice: LoadSlice } | "restart";

/** `octets` starts the file again at each call. Throws `invalid` with a list of all faults by line. */
export async function* readZoneFile(
  octets: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: ReadOptions,
): AsyncGenerator<ReadStep, ReadZone> {
  const first = yield* readOnce(octets(), options, new Set());
  if (first.returning.size === 0) return resultOf(first, options);
  yield "restart";
  return resultOf(yield* readOnce(octets(), options, first.returning), options);
}

async function* readOnce(
  octets: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { zone, mostAnswers, partial = false, access, head }: ReadOptions,
  scattered: ReadonlySet<string>,
): AsyncGenerator<ReadStep, ZoneContents> {
  const writer = new SliceWriter(head);
  const right = "dns.manage_zones";
  const isFiltered = !reachesAll(access, right, zone);
  const emit = (rrset: PlainRrset) => {
    const { domain, type } = rrset;
    if (isFiltered && !reachesRecord(access, right, zone, domain, type.name))
      throw closedRecord(right, { zone, domain, type: type.name });
    writer.add(rrset);
  };
  const contents = new ZoneContents({ zone, mostAnswers, partial, emit, scattered });
  const reader = new ZoneFileReader(nameFromApi(zone), { ttl: defaults.nx_ttl });
  try {
    for await (const chunk of octets) {
      for (const item of reader.push(chunk)) {
        contents.add(item);
        if (writer.isFull) yield { slice: writer.take() };
      }
    }
    for (const item of ends(reader, contents)) {
      if (item) contents.add(item);
      if (writer.isFull) yield { slice: writer.take() };
    }
  } catch (error) {
    if (error instanceof WireError) throw invalid(`the zone file ${error.message}`, { field: "zonefile" });
    throw error;
  }
  if (!writer.isEmpty) yield { slice: writer.take() };
  return contents;
}

function* ends(reader: ZoneFileReader, contents: ZoneContents): Generator<FileItem | undefined> {
  yield* reader.end();
  yield* contents.end();
}

function resultOf(contents: ZoneContents, { zone, partial }: ReadOptions): ReadZone {
  const { faultCount, rrsets, records, soa } = contents;
  if (faultCount > 0 && (!partial || rrsets === 0)) throw refusal(contents);
  if (records === 0) throw invalid(`the zone file has no records of the zone ${zone}`, { field: "zonefile" });
  const warnings = [...(soa ? [] : [noSoa]), ...leftOutOf(contents), ...warningsOf(contents)];
  return { body: soa ? bodyOf(soa) : {}, records: rrsets, warnings };
}

const noSoa = "the zone file has no SOA record: the zone has the settings of a new zone";

/** Ignores the serial, which the service assigns, and the first field, which follows from the zone's networks. */
function bodyOf({ ttl, rdata }: FileRecord): ZoneBody {
  const [, rname, , refresh, retry, expiry, nx_ttl] = parseFields(types.SOA, new Reader(rdata));
  const number = (field: Uint8Array | undefined) => Math.min(toNumber(field!), 0x7fffffff);
  return {
    ttl,
    // the root means that there is no mailbox, but a zone always has a mailbox here
    ...(rname!.length === 1 ? {} : { hostmaster: nameToApi(rname!) }),
    refresh: number(refresh),
    retry: number(retry),
    expiry: number(expiry),
    nx_ttl: number(nx_ttl),
  };
}

const printed = ({ line, message }: Fault) => `line ${line}: ${message}`;

function warningsOf({ warnings, warningCount }: ZoneContents): string[] {
  const more = warningCount - warnings.length;
  return more === 0 ? warnings.map(printed) : [...warnings.map(printed), `and ${more} more`];
}

/** The lines that a partial import left out. */
function leftOutOf({ faults, faultCount }: ZoneContents): string[] {
  const lines = faults.toSorted((a, b) => a.line - b.line).map((fault) => `${printed(fault)}: left out`);
  const more = faultCount - faults.length;
  return more === 0 ? lines : [...lines, `${more} more lines were left out`];
}

function refusal({ faults, faultCount }: ZoneContents): Problem {
  const sorted = faults.toSorted((a, b) => a.line - b.line);
  const [first] = sorted;
  const others = faultCount > 1 ? ` (and ${faultCount - 1} more)` : "";
  return invalid(`zone file ${printed(first!)}${others}`, { field: "zonefile", line: first!.line, errors: sorted });
}
