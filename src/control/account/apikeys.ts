/** The routes of API keys. */
import { type Static, Type } from "typebox";
import { Unchanged } from "../../http/route.ts";
import { type Permissions, permissionsSchema, showPermissions } from "../access/permissions.ts";
import type { Ctx } from "../context.ts";
import { route } from "../route.ts";
import { maybe, names, nullable } from "../schema.ts";
import { changeKey, createKey, getKey, isNoMoreThan, permissionsOf, removeKey, secretContext } from "./key.ts";
import { type KeyRow, listKeys } from "./store.ts";

const tag = "Account";
const path = "/v1/account/apikeys";
const right = "account.manage_apikeys";

const ApiKey = Type.Object(
  {
    id: Type.String({ description: "Names the key in paths." }),
    key: Type.Optional(
      Type.String({ description: "The secret; left out for a key that may do more than the one that asks." }),
    ),
    name: Type.String(),
    teams: names("Always empty: teams are not built yet."),
    permissions: permissionsSchema,
    ip_whitelist: names("Addresses and prefixes."),
    ip_whitelist_strict: Type.Boolean({ description: "Whether only requests from the list are allowed." }),
    last_access: nullable(Type.Integer()),
  },
  { $id: "ApiKey" },
);

const fields = {
  ip_whitelist: maybe(names("Addresses and prefixes.")),
  ip_whitelist_strict: maybe(Type.Boolean()),
  teams: maybe(names("Must be empty: teams are not built yet.")),
  permissions: Type.Optional(Type.Unsafe<Permissions | null>({ ...permissionsSchema, type: ["object", "null"] })),
  expiry_duration: maybe(Type.String()),
};
const KeyBody = Type.Object({ name: maybe(Type.String()), ...fields }, { $id: "ApiKeyBody" });
const NewKeyBody = Type.Object(
  { name: Type.String(), ...fields },
  {
    $id: "NewApiKeyBody",
    examples: [{ name: "acme", permissions: { dns: { zones_allow_by_default: false, zones_allow: ["example.com"] } } }],
  },
);
export type KeyBody = Static<typeof KeyBody>;

export const keyRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List API keys",
    right,
    secret: true,
    reply: Type.Array(ApiKey),
    run: async (_, ctx) => (await listKeys(ctx.db, ctx.account_id)).map((row) => replyOf(ctx, row)),
  }),
  route({
    method: "GET",
    path: `${path}/:keyid`,
    tag,
    summary: "Get an API key",
    right,
    secret: true,
    reply: ApiKey,
    run: async ({ params }, ctx) => replyOf(ctx, await getKey(ctx, params.keyid)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create an API key",
    desc: "A right that is left out is granted. Nobody can grant what they do not hold.",
    right,
    secret: true,
    body: NewKeyBody,
    reply: ApiKey,
    log: ["apikey", "create"],
    run: async ({ body }, ctx) => replyOf(ctx, await createKey(ctx, body)),
  }),
  route({
    method: "POST",
    path: `${path}/:keyid`,
    tag,
    summary: "Change an API key",
    desc: "A right that is left out stays as it is.",
    right,
    secret: true,
    body: KeyBody,
    reply: ApiKey,
    log: ["apikey", "update"],
    async run({ params, body }, ctx) {
      const { row, changed } = await changeKey(ctx, params.keyid, body);
      ctx.afterCommit(ctx.forgetKeys);
      const reply = replyOf(ctx, row);
      return changed ? reply : new Unchanged(reply);
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:keyid`,
    tag,
    summary: "Delete an API key",
    desc: "Its last request is answered within a second.",
    right,
    reply: "status",
    log: ["apikey", "delete"],
    async run({ params }, ctx) {
      const row = await removeKey(ctx, params.keyid);
      ctx.afterCommit(ctx.forgetKeys);
      return replyOf(ctx, row);
    },
  }),
];

function replyOf({ secrets, settings, caller }: Ctx, row: KeyRow): Static<typeof ApiKey> {
  const reply = {
    name: row.name,
    teams: row.teams,
    permissions: showPermissions(permissionsOf(row), settings.edition),
    ip_whitelist: row.ip_whitelist,
    ip_whitelist_strict: row.ip_whitelist_strict,
    last_access: row.last_access,
  };
  if (!isNoMoreThan(caller, row)) return { id: row.id, ...reply };
  return { id: row.id, key: secrets.open(row.secret, secretContext(row.id)), ...reply };
}
