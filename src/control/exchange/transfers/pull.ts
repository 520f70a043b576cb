/** One refresh of a secondary zone (RFC 1034 section 4.3.5): asks its primaries, takes over news, and sets the next time. */

import { soaRdata } from "../../../answer/image/rrset/soa.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import type { TsigKey } from "../../../dns/tsig/tsig.ts";
import { types } from "../../../dns/types.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import { seconds } from "../../../lib/clock.ts";
import type { MeasuredInput } from "../../../lib/fair/measured-input.ts";
import type { Traffic } from "../../../lib/fair/yield.ts";
import type { Log } from "../../../lib/log.ts";
import type { Random } from "../../../lib/random.ts";
import { isLaterSerial } from "../../../lib/serial.ts";
import type { ZoneLoad } from "../../../storage/loads.ts";
import type { TransferState } from "../../../storage/tables/transfers.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { type PrimaryServer, primariesOf, zoneKeyContext } from "../../../sync/peers.ts";
import type { Ctx, WriteOptions } from "../../write/context.ts";
import { findZoneById } from "../../zones/model/zone/store.ts";
import { awaitVersions } from "../../zones/versions/saved.ts";
import { applyExpired, applyTransfer } from "./apply.ts";
import type { TransferOutcome } from "./incoming.ts";
import { LargeZone } from "./large.ts";
import type { TransferMemory, TransferShare } from "./memory.ts";
import {
  askSerialEvenly,
  askZone,
  isOfServer,
  keyOf,
  type Primary,
  type PullLimits,
  tlsOf,
  Unheard,
} from "./primary.ts";
import { PrimaryConnection } from "./primary-connection.ts";
import { claimRefresh, saveRefresh } from "./store.ts";

/** An act on a zone as the activity log records it. */
export interface TransferAct {
  readonly row: ZoneRow;
  readonly action: "transfer" | "expire" | "renew";
  readonly isLarge?: boolean;
}

export interface PullOptions {
  readonly service: WriteOptions;
  /** API requests, to which large transfers give way. */
  readonly traffic: Traffic;
  readonly random: Random;
  readonly limits: PullLimits;
  readonly memory: TransferMemory;
  /** Measures the speed of the servers that are asked, one after the other. */
  readonly input: MeasuredInput;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Runs a transaction in the name of the service itself. */
  readonly transact: (act: TransferAct, step: (ctx: Ctx) => Promise<void>) => Promise<void>;
}

/**
 * Seconds until a refresh that a killed process had begun is started again; no second one starts while it continues. The
 * refresh itself may have killed the process, so the pause grows with the failures.
 */
const claimFor = 60;
const mostClaim = 3600;
const never: TransferState = { last_try: 0, last_xfr: 0, error: null, expires_at: 0, failures: 0 };

export async function pull(options: PullOptions, due: ZoneRow): Promise<void> {
  const { service } = options;
  const { db } = service.store;
  // waits until the last change has its serial, so that this refresh asks for the changes after it
  await awaitVersions(db, due);
  const row = await findZoneById(db, due.account_id, due.id);
  if (!row?.secondary || row.refresh_at !== due.refresh_at) return;
  const now = seconds(service.clock);
  const before = row.transfer ?? never;
  const claimed = now + Math.min(mostClaim, claimFor * 2 ** Math.min(20, before.failures));
  // saved as a failure until the outcome is known
  const begun = { ...before, failures: before.failures + 1 };
  if (!(await claimRefresh(db, row, claimed, begun))) return;
  const { account_id } = row;
  const share = options.memory.enter(account_id, options.input);
  const { store } = service;
  const pace = options.traffic.pace();
  const signal = AbortSignal.any([options.signal, share.input.signal]);
  const { quotas } = service.memory;
  await quotas.ready(account_id);
  const assertSize = (size: ZoneLoad["size"]) => quotas.assertAlone(account_id, size);
  const large = new LargeZone({ store, account_id, now, signal, enter: () => share.enlarge(), assertSize, pace });
  try {
    await refresh({ ...options, signal, share, large }, row, { now, claimed, before });
  } finally {
    share.leave();
    await large.end();
  }
}

interface RefreshOptions extends PullOptions {
  readonly share: TransferShare;
  readonly large: LargeZone;
}

interface Refresh {
  readonly now: number;
  readonly claimed: number;
  readonly before: TransferState;
}

async function refresh(options: RefreshOptions, row: ZoneRow, { now, claimed, before }: Refresh): Promise<void> {
  const { service, log } = options;
  const { db } = service.store;
  const failures: string[] = [];
  const causes: string[] = [];
  let transfer: TransferState | undefined;
  for (const server of primariesOf(row.secondary!)) {
    try {
      const isNew = await takeFrom(options, row, server);
      const last_xfr = isNew ? seconds(service.clock) : before.last_xfr;
      transfer = { ...before, last_xfr, error: null, failures: 0 };
      break;
    } catch (error) {
      if (!isOfServer(error)) throw error;
      const place = `${server.address} port ${server.port}`;
      failures.push(`${place}: ${reasonOf(error)}`);
      causes.push(`${place}: ${reasonOf(error instanceof Unheard ? error.cause : error)}`);
      if (options.input.signal.aborted) break;
    }
  }
  const current = (await findZoneById(db, row.account_id, row.id)) ?? row;
  if (transfer) transfer = { ...transfer, expires_at: now + current.expiry };
  else {
    transfer = { ...before, error: failures.join("; ").slice(0, mostReason), failures: before.failures + 1 };
    // a server that is away for long causes only one warning for each zone
    const level = transfer.error === before.error ? "debug" : "warn";
    log[level]({ zone: row.zone, reason: causes.join("; ").slice(0, mostReason) }, "a zone could not be transferred");
  }
  const end = seconds(service.clock);
  const isAskedFor = row.refresh_at === 0 && transfer.error === null;
  const next = end + (isAskedFor ? againAfter : pauseAfter(current, transfer, end, options.random));
  // the outcome is discarded if the zone now has other servers
  if (!(await saveRefresh(db, row, claimed, next, { ...transfer, last_try: now }))) return;
  if (transfer.error !== before.error) service.memory.changed.add(row.account_id, [row.id]);
  const expired = transfer.error !== null && (before.last_xfr === 0 ? row.expired : end >= transfer.expires_at);
  if (current.expired !== expired) {
    const action = expired ? "expire" : "renew";
    await options.transact({ row, action }, (ctx) => applyExpired(ctx, row, expired));
  }
}

/**
 * Seconds until the next refresh after a requested one: a primary may notify of a change a moment before it serves it,
 * and answer in that moment with another new serial, that of an earlier change.
 */
const againAfter = 1;
const mostReason = 1000;
const leastPause = { refresh: 20, retry: 5 };
const mostPause = 86_400;

/** Returns the seconds until the next refresh: jitter spreads zones out, and the pause grows with each failure. */
function pauseAfter(
  { refresh, retry }: ZoneRow,
  { error, failures, last_xfr, expires_at }: TransferState,
  now: number,
  random: Random,
) {
  const jitter = 0.75 + random() / 4;
  if (error === null) return Math.ceil(Math.min(mostPause, Math.max(leastPause.refresh, refresh)) * jitter);
  const first = last_xfr === 0 ? leastPause.retry : Math.max(leastPause.retry, Math.min(retry, refresh));
  const pause = Math.min(mostPause, Math.max(first, 3600), first * 2 ** Math.min(20, failures - 1)) * jitter;
  // a refresh must happen when the zone expires
  const left = expires_at - now;
  return Math.max(1, Math.ceil(left > 0 ? Math.min(pause, left) : pause));
}

/** Returns whether there was something new. */
async function takeFrom(options: RefreshOptions, row: ZoneRow, server: PrimaryServer): Promise<boolean> {
  const { service, limits, share, large, signal } = options;
  const { address, port } = server;
  const { message, transfer: total } = limits;
  const tls = tlsOf(row.secondary!, server);
  const connection = new PrimaryConnection({ address, port, tls, message, total, signal });
  const { input } = share;
  const common = { zone: row.zone, key: keyOfZone(service, row), limits, input, share, large, signal };
  try {
    return await takeOver(options, row, { ...common, address, port, isTls: tls !== undefined, connection });
  } finally {
    connection.close();
  }
}

async function takeOver(options: RefreshOptions, found: ZoneRow, primary: Primary): Promise<boolean> {
  const row = await numbered(options, found);
  await options.service.settings.egress.assertOpen(row.account_id, primary, "secondary.primary_ip");
  const serial = await askSerialEvenly(primary);
  const isFirst = (row.transfer?.last_xfr ?? 0) === 0;
  if (!isFirst && serial === row.serial) return false;
  if (!isFirst && !isLaterSerial(serial, row.serial)) {
    throw new WireError(`has serial ${serial}, which is before ours, ${row.serial}`);
  }
  const transferred = isFirst ? await askZone(primary, undefined) : await askChanges(primary, row);
  if (transferred.kind === "current") return false;
  try {
    await apply(options, row, transferred);
  } catch (error) {
    // RFC 1995 section 4: after differences that do not fit, the whole zone is transferred
    if (!(error instanceof WireError) || transferred.kind !== "steps") throw error;
    await apply(options, row, await askZone(primary, undefined));
  }
  return true;
}

/** Returns the zone with the serial of its last change, which may have been assigned since the zone was found to be due. */
async function numbered({ service }: RefreshOptions, found: ZoneRow): Promise<ZoneRow> {
  const { db } = service.store;
  await awaitVersions(db, found);
  const { serial } = (await findZoneById(db, found.account_id, found.id)) ?? found;
  return { ...found, serial };
}

async function apply(options: RefreshOptions, row: ZoneRow, taken: TransferOutcome): Promise<void> {
  if (taken.kind === "current") return;
  const { service, traffic, large, transact } = options;
  if (taken.kind !== "large") {
    return await transact({ row, action: "transfer" }, (ctx) => applyTransfer(ctx, row, taken));
  }
  const applicable = { ...taken, load: await large.complete(), pace: traffic.pace() };
  await awaitVersions(service.store.db, row);
  await transact({ row, action: "transfer", isLarge: true }, (ctx) => applyTransfer(ctx, row, applicable));
}

/** Asks for the changes, and for the whole zone if they are not available. */
async function askChanges(primary: Primary, row: ZoneRow): Promise<TransferOutcome> {
  try {
    return await askZone(primary, soaOf(row));
  } catch (error) {
    if (primary.signal.aborted) throw error;
    return await askZone(primary, undefined);
  }
}

const soaOf = (row: ZoneRow): ResourceRecord => ({
  owner: nameFromApi(row.zone),
  type: types.SOA,
  ttl: row.ttl,
  rdata: soaRdata(row, row.serial),
});

function keyOfZone({ secrets }: WriteOptions, { id, secondary, secondary_key }: ZoneRow): TsigKey | undefined {
  return secondary_key === null ? undefined : keyOf(secondary!, secrets.open(secondary_key, zoneKeyContext(id)));
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
