/** Copies a zone from another server into a file, in the form of a zone file with one record in each line. */
import { printEntry } from "../../../dns/zonefile/print.ts";
import { LongWork } from "../../../lib/fair/yield.ts";
import { inPieces, type Spool } from "../../../lib/files/spool.ts";
import { invalid, Problem } from "../../../lib/problem.ts";
import { type PrimaryServer, primariesOf } from "../../../sync/peers.ts";
import type { FilePlace, Report } from "../../zonefiles/jobs.ts";
import type { ReadSecondary } from "../../zones/model/zone/transfer-settings.ts";
import {
  askSerialEvenly,
  isOfServer,
  keyOf,
  type PullLimits,
  type Server,
  tlsOf,
  zoneRecords,
} from "../transfers/primary.ts";
import { PrimaryConnection } from "../transfers/primary-connection.ts";

export interface FetchOptions {
  readonly zone: string;
  /** The servers, and how they are asked. */
  readonly from: ReadSecondary;
  readonly limits: PullLimits;
  readonly place: FilePlace;
  readonly signal: AbortSignal;
  /** Makes way for other work between two messages. */
  readonly pace: () => Promise<void>;
  readonly report: Report;
}

const mostReason = 1000;

/** Asks one server after another, until one of them gives the zone. Throws `invalid` with the reason of each if none does. */
export async function fetchZone(options: FetchOptions): Promise<Spool> {
  const { from, place } = options;
  const signal = AbortSignal.any([options.signal, place.input.signal]);
  const failures: string[] = [];
  for (const server of primariesOf(from.settings)) {
    try {
      return await fetchFrom({ ...options, signal }, server);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof Problem || !isOfServer(error)) throw error;
      failures.push(`${server.address} port ${server.port}: ${(error as Error).message}`);
    }
  }
  throw invalid(failures.join("; ").slice(0, mostReason), { field: "secondary", zone: options.zone });
}

async function fetchFrom(options: FetchOptions, server: PrimaryServer): Promise<Spool> {
  const { zone, from, limits, place, signal } = options;
  const { address, port } = server;
  const { message, transfer: total } = limits;
  const tls = tlsOf(from.settings, server);
  const connection = new PrimaryConnection({ address, port, tls, message, total, signal });
  const key = keyOf(from.settings, from.secret ?? "");
  const asked = { address, port, isTls: tls !== undefined, connection, zone, key, limits, input: place.input, signal };
  try {
    await askSerialEvenly(asked);
    return await place.write(inPieces(linesOf(asked, options)));
  } finally {
    connection.close();
  }
}

async function* linesOf(server: Server, { zone, pace, report }: FetchOptions): AsyncGenerator<string> {
  const work = new LongWork();
  let count = 0;
  for await (const records of zoneRecords(server)) {
    for (const record of records) {
      yield printEntry(record);
      await work.giveWay();
    }
    count += records.length;
    report(`transferring zone ${zone}: ${count} records`, 0);
    await pace();
  }
}
