/** The routes of API keys. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import type { Teams } from "../../access/holder.ts";
import { isNoMoreThan, shownPermissions, standingOf } from "../../access/standing.ts";
import { limits } from "../../kit/limits.ts";
import { pageById, shownPage } from "../../kit/listing.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import type { KeyRow } from "../members/key-store.ts";
import { listRows } from "../members/rows-store.ts";
import { findTeams, findTeamsOf } from "../members/team-store.ts";
import { ApiKey, KeyBody, NewKeyBody } from "./schema.ts";
import type { MadeSecret } from "./secret.ts";
import { listSecrets, listSecretsOf, type SecretRow } from "./secret-store.ts";
import { changeKey, createKey, getKey, removeKey, secretContext } from "./write.ts";

const tag = "Account";
const path = "/v1/account/apikeys";
const right = "account.manage_apikeys";

export const keyRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List API keys",
    right,
    secret: true,
    reply: Type.Array(ApiKey),
    page: limits.keys,
    async run({ page }, ctx) {
      const found = await pageById(page, (part) => listRows(ctx.db, "api_key", ctx.account_id, part));
      const { shown, last } = await shownPage(found, await showing(ctx, found.items));
      return new Reply(shown, { next: last?.id });
    },
  }),
  route({
    method: "GET",
    path: `${path}/:keyid`,
    tag,
    summary: "Get an API key",
    right,
    secret: true,
    reply: ApiKey,
    run: async ({ params }, ctx) => keyReply(ctx, await getKey(ctx, params.keyid)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create an API key",
    desc:
      "An omitted right is granted, unless `permissions.default` is `deny`. Callers can only grant rights that they hold. With `expiry_duration` the reply " +
      "contains the text of the first secret; no other reply contains it.",
    right,
    exclusive: true,
    secret: true,
    body: NewKeyBody,
    reply: ApiKey,
    log: ["apikey", "create"],
    async run({ body }, ctx) {
      const { row, made } = await createKey(ctx, body);
      return keyReply(ctx, row, made);
    },
  }),
  route({
    method: "POST",
    path: `${path}/:keyid`,
    tag,
    summary: "Change an API key",
    desc: "An omitted right stays as it is.",
    right,
    exclusive: true,
    secret: true,
    body: KeyBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeKey(ctx, params.keyid, body);
      const reply = await keyReply(ctx, row);
      return new Reply(reply, changed ? { before: await keyReply(ctx, before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:keyid`,
    tag,
    summary: "Delete an API key",
    desc: "The key is refused after one second at the latest.",
    right,
    exclusive: true,
    reply: "status",
    log: ["apikey", "delete"],
    async run({ params }, ctx) {
      const row = await removeKey(ctx, params.keyid);
      return replyOf(ctx, row, await findTeams(ctx.db, ctx.account_id, row.teams), []);
    },
  }),
];

async function showing(ctx: Ctx, rows: readonly KeyRow[]): Promise<(row: KeyRow) => Static<typeof ApiKey>> {
  const { db, account_id } = ctx;
  const ids = rows.map(({ id }) => id);
  const secrets = Map.groupBy(await listSecretsOf(db, account_id, ids), ({ key_id }) => key_id);
  const teams = await findTeamsOf(db, account_id, rows);
  return (row) => replyOf(ctx, row, teams, secrets.get(row.id) ?? []);
}

export async function keyReply(ctx: Ctx, row: KeyRow, made?: MadeSecret) {
  const teams = await findTeams(ctx.db, ctx.account_id, row.teams);
  return replyOf(ctx, row, teams, await listSecrets(ctx.db, row), made);
}

/** The reply shows the text of the secret that was just created, the only time it is shown. */
function replyOf(
  ctx: Ctx,
  row: KeyRow,
  teams: Teams,
  all: readonly SecretRow[],
  made?: MadeSecret,
): Static<typeof ApiKey> {
  const { secrets, settings, caller } = ctx;
  const shown = all.map(({ id, expires_at, last_access, enabled }) => {
    const text = made?.row.id === id ? { key: made.text } : {};
    return { id, ...text, expires_at: new Date(expires_at * 1000).toISOString(), last_access, enabled };
  });
  const reply = {
    ...(row.expiry_days === null && shown.length === 0 ? {} : { secrets: shown }),
    ...(row.expiry_days === null ? {} : { expiry_duration: `${row.expiry_days}d` }),
    name: row.name,
    teams: row.teams,
    permissions: shownPermissions(row, teams, settings.edition),
    ip_whitelist: row.ip_whitelist,
    ip_whitelist_strict: row.ip_whitelist_strict,
    last_access: row.last_access,
    ...(row.deletion_guard === null ? {} : { deletion_guard: row.deletion_guard }),
  };
  const isShown = caller.ends === Number.POSITIVE_INFINITY && isNoMoreThan(caller, standingOf(row, teams));
  if (row.secret === null || !isShown) return { id: row.id, ...reply };
  return { id: row.id, key: secrets.open(row.secret, secretContext(row.id)), ...reply };
}
