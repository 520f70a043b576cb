/** The routes that say what a key, user or team may do in the end, and why. */
import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import { invalid } from "../../../lib/problem.ts";
import { isListed } from "../../access/allowlist.ts";
import { type Holder, standingOf, teamsById } from "../../access/holder.ts";
import type { Edition } from "../../access/rights.ts";
import { names, nullable } from "../../kit/schema.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { readDomain, readType } from "../../zones/model/record/rules.ts";
import { zoneName } from "../../zones/model/zone/fields.ts";
import { listAllowLists } from "../allowlists/store.ts";
import { getKey } from "../keys/write.ts";
import { listTeams } from "../members/team-store.ts";
import { getTeam } from "../teams/write.ts";
import { getUser } from "../users/write.ts";
import { type CallPlace, callsAt, effectiveOf } from "./effective.ts";

const tag = "Account";

const By = nullable(Type.Object({ id: Type.String(), name: Type.String() }, { description: "null: its own." }));
const rules = Type.Array(
  Type.Object({
    zone: Type.Optional(Type.String()),
    domain: Type.Optional(Type.String()),
    include_subdomains: Type.Optional(Type.Boolean()),
    type: Type.Optional(Type.String()),
  }),
);
const Effective = Type.Object(
  {
    rights: Type.Array(
      Type.Object({
        right: Type.String(),
        allowed: Type.Boolean(),
        reasons: Type.Array(
          Type.Object({
            team: By,
            allowed: Type.Boolean(),
            reason: Type.String({ description: "`said`, or `left out`, which mostly means granted." }),
          }),
        ),
      }),
    ),
    scopes: Type.Array(
      Type.Object({
        team: By,
        zones_allow_by_default: Type.Boolean(),
        zones_allow: names("Zones that are open."),
        zones_deny: names("Zones that are closed."),
        records_allow: rules,
        records_deny: rules,
      }),
      { description: "Where its rights count, team by team: no right of one reaches into the zones of another." },
    ),
    allow_lists: Type.Array(
      Type.Object({
        level: Type.Unsafe<"own" | "teams" | "account">({ type: "string", enum: ["own", "teams", "account"] }),
        values: names("Addresses and prefixes."),
        admits: nullable(
          Type.Boolean({ description: "Whether it lets the `address` of the query in; null without one." }),
        ),
      }),
      { description: "Those that count: a request has to come from a value of each level." },
    ),
    calls: nullable(
      Type.Array(
        Type.Object({
          call: Type.Unsafe<"read" | "write" | "settings">({
            type: "string",
            enum: ["read", "write", "settings"],
            description: "`settings` changes or deletes the zone itself.",
          }),
          right: Type.String(),
          allowed: Type.Boolean(),
          reasons: Type.Array(
            Type.Object({
              team: By,
              refused: nullable(
                Type.String({ description: "What it does not open: the `right`, the `zone` or the `record`." }),
              ),
            }),
          ),
        }),
        { description: "At the zone or record of the query; null without one." },
      ),
    ),
  },
  { $id: "EffectiveRights" },
);
/** The place of a call that is asked about, and where it comes from. */
const callQuery = Type.Object({
  zone: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  address: Type.Optional(Type.String({ description: "The address of a request." })),
});
type CallQuery = Static<typeof callQuery>;

const desc =
  "With `zone`, or `zone`, `domain` and `type`, also whether calls there would pass, and by which team; with `address`, " +
  "which allow lists let it in.";

export const effectiveRoutes = [
  route({
    method: "GET",
    path: "/v1/account/apikeys/:keyid/effective",
    tag,
    summary: "Get what an API key may do, and why",
    desc,
    right: "account.manage_apikeys",
    exactQuery: true,
    query: callQuery,
    reply: Effective,
    run: async ({ params, query }, ctx) => effectiveReply(ctx, await getKey(ctx, params.keyid), query),
  }),
  route({
    method: "GET",
    path: "/v1/account/users/:username/effective",
    tag,
    summary: "Get what a user may do, and why",
    desc,
    right: "account.manage_users",
    exactQuery: true,
    query: callQuery,
    reply: Effective,
    run: async ({ params, query }, ctx) => effectiveReply(ctx, await getUser(ctx, params.username), query),
  }),
  route({
    method: "GET",
    path: "/v1/account/teams/:teamid/effective",
    tag,
    summary: "Get what a team grants, and why",
    desc,
    right: "account.manage_teams",
    exactQuery: true,
    query: callQuery,
    reply: Effective,
    async run({ params, query }, ctx) {
      const { id } = await getTeam(ctx, params.teamid);
      const member: Holder = { permissions: {}, teams: [id], ip_whitelist: [], ip_whitelist_strict: false };
      return await effectiveReply(ctx, member, query);
    },
  }),
];

async function effectiveReply(ctx: Ctx, holder: Holder, query: CallQuery): Promise<Static<typeof Effective>> {
  const { db, account_id, settings } = ctx;
  const { address } = query;
  if (address !== undefined && isIP(address) === 0) {
    throw invalid(`address: "${address.slice(0, 60)}" is not an IP address`, { field: "address" });
  }
  const place = placeOf(query, settings.edition);
  const teams = teamsById(await listTeams(db, account_id));
  const { allowed, allowedOfTeams } = standingOf(holder, teams);
  const allowedOfAccount = (await listAllowLists(db, account_id)).flatMap(({ values }) => values);
  const list = (level: "own" | "teams" | "account", values: readonly string[]) => ({
    level,
    values,
    admits: address === undefined ? null : isListed(values, address),
  });
  return {
    ...effectiveOf(holder, teams, settings.edition),
    allow_lists: [
      ...(allowed ? [list("own", allowed)] : []),
      ...(allowedOfTeams.length > 0 ? [list("teams", allowedOfTeams)] : []),
      ...(allowedOfAccount.length > 0 ? [list("account", allowedOfAccount)] : []),
    ],
    calls: place ? callsAt(holder, teams, place) : null,
  };
}

function placeOf({ zone: asked, domain, type }: CallQuery, edition: Edition): CallPlace | undefined {
  if ((domain === undefined) !== (type === undefined)) throw invalid("domain and type go together", { field: "type" });
  if (asked === undefined) {
    if (domain === undefined) return undefined;
    throw invalid("domain: zone is missing, in which it lies", { field: "zone" });
  }
  const zone = zoneName(asked, edition);
  if (domain === undefined || type === undefined) return { zone, record: undefined };
  return { zone, record: { domain: readDomain(domain, zone), type: readType(type).name } };
}
