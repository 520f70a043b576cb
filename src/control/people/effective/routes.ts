/** The routes of the effective rights of keys, users and teams. */
import { isIP } from "node:net";
import { type Static, Type } from "typebox";
import { invalid } from "../../../lib/problem.ts";
import { isListed } from "../../access/allowlist.ts";
import { type Holder, teamsById } from "../../access/holder.ts";
import type { Edition } from "../../access/rights.ts";
import { standingOf } from "../../access/standing.ts";
import { names, nullable } from "../../kit/schema.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { readDomain, readType } from "../../zones/model/record/rules.ts";
import { zoneName } from "../../zones/model/zone/fields.ts";
import { getKey } from "../keys/write.ts";
import { listRows } from "../members/rows-store.ts";
import { getTeam } from "../teams/write.ts";
import { getUser } from "../users/write.ts";
import { type CallTarget, callsAt, effectiveOf } from "./effective.ts";

const TeamRef = nullable(
  Type.Object(
    { id: Type.String(), name: Type.String() },
    { description: "null stands for the holder's own permissions." },
  ),
);
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
            team: TeamRef,
            allowed: Type.Boolean(),
            reason: Type.String({
              description:
                "`given`: set explicitly; `left out`: omitted, which for most rights means granted; `not an account of the operator`: a right over the whole installation has no effect here.",
            }),
          }),
        ),
      }),
    ),
    scopes: Type.Array(
      Type.Object({
        team: TeamRef,
        zones_allow_by_default: Type.Boolean(),
        zones_allow: names("Zones that are allowed."),
        zones_deny: names("Zones that are denied."),
        records_allow: rules,
        records_deny: rules,
      }),
      {
        description:
          "The zones and records to which the rights apply, by team: a team's rights do not extend to another team's zones.",
      },
    ),
    allow_lists: Type.Array(
      Type.Object({
        level: Type.Unsafe<"own" | "teams" | "account">({ type: "string", enum: ["own", "teams", "account"] }),
        values: names("Addresses and prefixes."),
        admits: nullable(
          Type.Boolean({ description: "Whether the list admits the `address` of the query; null without one." }),
        ),
      }),
      { description: "The lists that apply: a request must come from an address in the list of every level." },
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
              team: TeamRef,
              refused: nullable(
                Type.String({
                  description:
                    "The reason for a refusal: the `right`, the `zone` or the `record` is not granted. null if the call is allowed.",
                }),
              ),
            }),
          ),
        }),
        { description: "Calls to the zone or record of the query; null without one." },
      ),
    ),
  },
  { $id: "EffectiveRights" },
);
/** The target of a call, and the address it would come from. */
const callQuery = Type.Object({
  zone: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  address: Type.Optional(Type.String({ description: "The source address of a request." })),
});
type CallQuery = Static<typeof callQuery>;

const common = {
  method: "GET",
  tag: "Account",
  desc:
    "With `zone`, or `zone`, `domain` and `type`, also whether calls to it are allowed, and by which team; with `address`, " +
    "which allow lists admit it.",
  exactQuery: true,
  query: callQuery,
  reply: Effective,
} as const;

export const effectiveRoutes = [
  route({
    ...common,
    path: "/v1/account/apikeys/:keyid/effective",
    summary: "Get the effective rights of an API key",
    right: "account.manage_apikeys",
    run: async ({ params, query }, ctx) => effectiveReply(ctx, await getKey(ctx, params.keyid), query),
  }),
  route({
    ...common,
    path: "/v1/account/users/:username/effective",
    summary: "Get the effective rights of a user",
    right: "account.manage_users",
    run: async ({ params, query }, ctx) => effectiveReply(ctx, await getUser(ctx, params.username), query),
  }),
  route({
    ...common,
    path: "/v1/account/teams/:teamid/effective",
    summary: "Get the effective rights of a team",
    right: "account.manage_teams",
    async run({ params, query }, ctx) {
      const { id } = await getTeam(ctx, params.teamid);
      const member: Holder = { permissions: {}, teams: [id], ip_whitelist: [], ip_whitelist_strict: false };
      return await effectiveReply(ctx, member, query);
    },
  }),
];

async function effectiveReply(ctx: Ctx, holder: Holder, query: CallQuery): Promise<Static<typeof Effective>> {
  const { db, account_id, settings, caller } = ctx;
  const { address } = query;
  if (address !== undefined && isIP(address) === 0) {
    throw invalid(`address: "${address.slice(0, 60)}" is not an IP address`, { field: "address" });
  }
  const target = targetOf(query, settings.edition);
  const teams = teamsById(await listRows(db, "team", account_id));
  const { allowed, allowedOfTeams } = standingOf(holder, teams);
  const allowedOfAccount = (await listRows(db, "allow_list", account_id)).flatMap(({ values }) => values);
  const list = (level: "own" | "teams" | "account", values: readonly string[]) => ({
    level,
    values,
    admits: address === undefined ? null : isListed(values, address),
  });
  return {
    ...effectiveOf(holder, teams, settings.edition, caller.isOperator),
    allow_lists: [
      ...(allowed ? [list("own", allowed)] : []),
      ...(allowedOfTeams.length > 0 ? [list("teams", allowedOfTeams)] : []),
      ...(allowedOfAccount.length > 0 ? [list("account", allowedOfAccount)] : []),
    ],
    calls: target ? callsAt(holder, teams, target) : null,
  };
}

function targetOf({ zone: asked, domain, type }: CallQuery, edition: Edition): CallTarget | undefined {
  if ((domain === undefined) !== (type === undefined))
    throw invalid("domain and type must be sent together", { field: "type" });
  if (asked === undefined) {
    if (domain === undefined) return undefined;
    throw invalid("domain requires zone", { field: "zone" });
  }
  const zone = zoneName(asked, edition);
  if (domain === undefined || type === undefined) return { zone, record: undefined };
  return { zone, record: { domain: readDomain(domain, zone), type: readType(type).name } };
}
