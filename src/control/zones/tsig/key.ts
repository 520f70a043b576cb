/** Creating, changing and deleting keys that sign DNS messages. */

import { type TsigAlgorithm, tsigAlgorithmNamed, tsigAlgorithms } from "../../../dns/tsig/algorithms.ts";
import { apiName } from "../../../dns/wire/name.ts";
import { conflict, denied, inField, invalid, invalidField, missing } from "../../../lib/problem.ts";
import { tsigKeyContext } from "../../../sync/peers.ts";
import { reachesEverything } from "../../access/access.ts";
import type { Caller } from "../../access/caller.ts";
import { limits } from "../../kit/limits.ts";
import type { Changed, Ctx } from "../../write/context.ts";
import {
  countTsigKeys,
  deleteTsigKey,
  findTsigKey,
  findZoneWithKey,
  insertTsigKey,
  notifyPeers,
  type TsigRow,
  updateTsigKey,
} from "./store.ts";

export interface TsigBody {
  readonly name?: string | null;
  readonly algorithm?: string | null;
  readonly secret?: string | null;
}

export async function createTsigKey(ctx: Ctx, path: string, body: TsigBody): Promise<TsigRow> {
  const { db, account_id, secrets, now } = ctx;
  assertUnlimited(ctx.caller);
  const name = readKeyName(path, "name");
  assertSameName(name, body);
  const algorithm = readAlgorithm(body.algorithm ?? "hmac-sha256", "algorithm");
  const secret = secrets.seal(readSecret(body.secret ?? "", "secret"), tsigKeyContext(account_id, name));
  const row = { account_id, name, algorithm, secret, created_at: now, updated_at: now };
  if (!(await insertTsigKey(db, row))) throw conflict("TSIG key already exists", { name }, 409);
  if ((await countTsigKeys(db, account_id)) > limits.tsigKeys) {
    const message = `an account can have at most ${limits.tsigKeys} TSIG keys: delete keys that no zone uses`;
    throw invalid(message, { limit: limits.tsigKeys });
  }
  await notifyPeers(db, account_id);
  return row;
}

export async function changeTsigKey(ctx: Ctx, path: string, body: TsigBody): Promise<Changed<TsigRow>> {
  const { secrets, now } = ctx;
  assertUnlimited(ctx.caller);
  const before = await getTsigKey(ctx, path);
  assertSameName(before.name, body);
  const context = tsigKeyContext(before.account_id, before.name);
  const old = secrets.open(before.secret, context);
  const algorithm = body.algorithm ? readAlgorithm(body.algorithm, "algorithm") : before.algorithm;
  const secret = body.secret ? readSecret(body.secret, "secret") : old;
  if (algorithm === before.algorithm && secret === old) return { before, row: before, changed: false };
  const row = { ...before, algorithm, secret: secrets.seal(secret, context), updated_at: now };
  await updateTsigKey(ctx.db, row);
  await notifyPeers(ctx.db, ctx.account_id);
  return { before, row, changed: true };
}

export async function removeTsigKey(ctx: Ctx, path: string): Promise<TsigRow> {
  assertUnlimited(ctx.caller);
  const row = await getTsigKey(ctx, path, "remove");
  const used = await findZoneWithKey(ctx.db, row, ctx.now);
  if (used) {
    const { zone, isDeleted } = used;
    const what = isDeleted ? `the deleted zone ${zone}, which can be brought back` : `the zone ${zone}`;
    throw invalid(`the TSIG key ${row.name} signs the transfers of ${what}`, { name: row.name, zone });
  }
  await deleteTsigKey(ctx.db, row);
  await notifyPeers(ctx.db, ctx.account_id);
  return row;
}

export async function getTsigKey({ db, account_id }: Ctx, path: string, lock?: "remove"): Promise<TsigRow> {
  const row = await findTsigKey(db, account_id, readKeyName(path, "name"), lock);
  if (!row) throw missing("TSIG key not found", { name: path });
  return row;
}

/** Whether the caller may see and change all zones. TSIG keys require it, because a key opens every zone that names it. */
export const isUnlimited = ({ access }: Caller) => reachesEverything(access, "dns.manage_zones");

function assertUnlimited(caller: Caller): void {
  if (!isUnlimited(caller)) throw denied("Changing TSIG keys requires access to all zones");
}

/** Reads the name of a key in the canonical spelling of names. */
export const readKeyName = (text: string, field: string): string => inField(field, () => apiName(text));

/** The name of a key as replies show it: existing clients compare it with the name that they sent, which ends in a dot. */
export const shownKeyName = (name: string): string => `${name}.`;

export function readAlgorithm(text: string, field: string): TsigAlgorithm {
  const algorithm = tsigAlgorithmNamed(text);
  if (algorithm) return algorithm;
  const known = Object.keys(tsigAlgorithms).join(", ");
  throw invalidField(field, `"${text}" is not one of ${known}`);
}

const mostSecretOctets = 512;

/** Reads a secret in base64, kept as sent. The message never contains the secret. */
export function readSecret(text: string, field: string): string {
  const octets = Buffer.from(text, "base64");
  const isBase64 =
    /^[A-Za-z0-9+/]+={0,2}$/.test(text) && octets.toString("base64").replace(/=+$/, "") === text.replace(/=+$/, "");
  if (!isBase64) throw invalidField(field, "must be in base64");
  if (octets.length > mostSecretOctets) throw invalidField(field, `must be at most ${mostSecretOctets} octets`);
  return text;
}

function assertSameName(name: string, body: TsigBody): void {
  if (body.name && readKeyName(body.name, "name") !== name) {
    throw invalidField("name", `"${body.name}" differs from the key in the path, "${name}"`);
  }
}
