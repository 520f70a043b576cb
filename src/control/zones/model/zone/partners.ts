/** The primaries and secondaries of a zone, as its row stores them: read from a body and checked. */
import { isDeepStrictEqual } from "node:util";
import { invalid, invalidField } from "../../../../lib/problem.ts";
import { pick } from "../../../../lib/values.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import {
  notifiersOf,
  type PrimarySettings,
  primariesOf,
  type SecondarySettings,
  zoneKeyContext,
} from "../../../../sync/peers.ts";
import { limits } from "../../../kit/limits.ts";
import type { Ctx } from "../../../write/context.ts";
import { findTsigKey, notifyPeers } from "../../tsig/store.ts";
import { assertAllRecords } from "./reach.ts";
import type { ZoneBody } from "./schema.ts";
import { countPartners } from "./store.ts";
import { noSecondaries, readPrimary, readSecondary } from "./transfer-settings.ts";

const fields = ["primary", "secondary", "secondary_key", "was_secondary", "refresh_at", "expired", "transfer"] as const;
export type Partners = Pick<ZoneRow, (typeof fields)[number]>;

const noPartners: Partners = {
  primary: noSecondaries,
  secondary: null,
  secondary_key: null,
  was_secondary: false,
  refresh_at: null,
  expired: false,
  transfer: null,
};

/** The partners of a zone after a body. */
export async function readPartners(
  ctx: Ctx,
  { id, zone }: Pick<ZoneRow, "id" | "zone">,
  body: ZoneBody,
  before?: ZoneRow,
): Promise<Partners> {
  const old = before ? partnersOf(before) : noPartners;
  const primary = readPrimary(body.primary, old.primary);
  if (!isDeepStrictEqual(primary, old.primary)) await assertSecondaries(ctx, primary);
  const read = readSecondary(body.secondary, old.secondary);
  if (read === undefined) return { ...old, primary };
  if (read === null) return { ...noPartners, primary, was_secondary: old.was_secondary || old.secondary !== null };
  const { settings, secret } = read;
  const secondary_key = keyAfter(ctx, id, settings, secret, old.secondary_key);
  const isSame = isDeepStrictEqual(settings, old.secondary) && secondary_key === old.secondary_key;
  if (!isSame) assertAllRecords(ctx, zone);
  for (const place of primariesOf(settings))
    await ctx.settings.egress.assertOpen(ctx.account_id, place, "secondary.primary_ip");
  if (isSame) return { ...old, primary };
  // the present contents are served until they expire; a new zone has none
  const expires_at = ctx.now + (before?.expiry ?? 0);
  const transfer = old.transfer ?? { last_try: 0, last_xfr: 0, error: null, expires_at, failures: 0 };
  const expired = before === undefined || old.expired;
  const { was_secondary } = old;
  return { primary, secondary: settings, secondary_key, was_secondary, refresh_at: 0, expired, transfer };
}

export const partnersOf = (row: ZoneRow): Partners => pick(row, fields);

/** Throws `invalid` for secondaries in networks that the zone is not on: no edge would transfer the zone to them. */
export function assertInNetworks({ zone, networks, primary }: Pick<ZoneRow, "zone" | "networks" | "primary">): void {
  for (const [i, secondary] of primary.secondaries.entries()) {
    const other = secondary.networks.find((id) => !networks.includes(id));
    if (other === undefined) continue;
    const field = `primary.secondaries[${i}].networks`;
    throw invalidField(field, `the zone ${zone} is not on network ${other}`);
  }
}

/** Returns the stored envelope if it contains the same secret, otherwise a new one. */
function keyAfter(
  { secrets }: Ctx,
  id: string,
  { tsig }: SecondarySettings,
  secret: string | undefined,
  before: string | null,
): string | null {
  if (!tsig?.enabled) return null;
  const context = zoneKeyContext(id);
  if (secret === undefined || (before !== null && secrets.open(before, context) === secret)) return before;
  return secrets.seal(secret, context);
}

async function assertSecondaries({ db, account_id, settings }: Ctx, { secondaries }: PrimarySettings): Promise<void> {
  for (const [i, { ip, port, notify, tsig_key }] of secondaries.entries()) {
    const field = `primary.secondaries[${i}]`;
    if (notify) await settings.egress.assertOpen(account_id, { address: ip, port }, `${field}.ip`);
    if (tsig_key !== undefined && !(await findTsigKey(db, account_id, tsig_key, "use"))) {
      throw invalidField(`${field}.tsig_key`, `there is no TSIG key ${tsig_key}`);
    }
  }
}

/** Notifies edges of a zone's partners. Throws `invalid` when the account would have too many. */
export async function announcePartners({ db, account_id }: Ctx, row: ZoneRow, before?: ZoneRow): Promise<void> {
  const isMore = row.link !== null ? before === undefined : sizeOf(row) > (before ? sizeOf(before) : 0);
  if (isMore && (await countPartners(db, account_id)) > limits.partners) {
    const message = `the zones of an account can have at most ${limits.partners} secondaries and primaries together: remove some of another zone, or list a prefix instead of addresses`;
    throw invalid(message, { zone: row.zone, limit: limits.partners });
  }
  await notifyPeers(db, account_id);
}

const sizeOf = ({ primary, secondary }: ZoneRow) =>
  (primary.enabled ? primary.secondaries.length : 0) + (secondary ? notifiersOf(secondary).length : 0);

/** Whether the zone may be transferred in or out. A linked zone is included: it is transferred if its target is. */
export const isExchanged = ({ primary, secondary, link }: ZoneRow) =>
  primary.enabled || secondary !== null || link !== null;
