/** The routes of teams. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { permissionsOf } from "../../access/holder.ts";
import { type Permissions, permissionsSchema, showPermissions } from "../../access/permissions.ts";
import { limits } from "../../kit/limits.ts";
import { pageById, shownPage } from "../../kit/listing.ts";
import { maybe, names } from "../../kit/schema.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { listRows } from "../members/rows-store.ts";
import type { TeamRow } from "../members/team-store.ts";
import { changeTeam, createTeam, getTeam, removeTeam } from "./write.ts";

const tag = "Account";
const path = "/v1/account/teams";
const right = "account.manage_teams";

const entry = { name: Type.String(), values: names("Addresses and prefixes.") };
const Team = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    permissions: permissionsSchema,
    ip_whitelist: Type.Array(Type.Object({ id: Type.String(), ...entry })),
  },
  { $id: "Team" },
);
const entries = {
  ...Type.Array(
    Type.Object({
      id: maybe(Type.String()),
      name: maybe(Type.String()),
      values: maybe(names("Addresses and prefixes.")),
    }),
  ),
  description:
    "Named lists, which replace the earlier lists; a list that is sent with its id keeps the id. While any list of a " +
    "member's teams contains a value, the member is accepted only from the addresses in these lists.",
};
const fields = {
  permissions: Type.Optional(Type.Unsafe<Permissions | null>({ ...permissionsSchema, type: ["object", "null"] })),
  ip_whitelist: maybe(entries),
};
const TeamBody = Type.Object({ name: maybe(Type.String()), ...fields }, { $id: "TeamBody" });
const NewTeamBody = Type.Object(
  { name: Type.String(), ...fields },
  {
    $id: "NewTeamBody",
    examples: [{ name: "operators", permissions: { account: { manage_users: false, manage_teams: false } } }],
  },
);
export type TeamBody = Static<typeof TeamBody>;

export const teamRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List teams",
    right,
    reply: Type.Array(Team),
    page: limits.teams,
    async run({ page }, ctx) {
      const found = await pageById(page, (part) => listRows(ctx.db, "team", ctx.account_id, part));
      const { shown, last } = await shownPage(found, (row) => replyOf(ctx, row));
      return new Reply(shown, { next: last?.id });
    },
  }),
  route({
    method: "GET",
    path: `${path}/:teamid`,
    tag,
    summary: "Get a team",
    right,
    reply: Team,
    run: async ({ params }, ctx) => replyOf(ctx, await getTeam(ctx, params.teamid)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create a team",
    desc: "An omitted right is granted. Callers can only grant rights that they hold. Keys and users join by their `teams`.",
    right,
    exclusive: true,
    body: NewTeamBody,
    reply: Team,
    log: ["team", "create"],
    run: async ({ body }, ctx) => replyOf(ctx, await createTeam(ctx, body)),
  }),
  route({
    method: "POST",
    path: `${path}/:teamid`,
    tag,
    summary: "Change a team",
    desc: "An omitted right stays as it is. The change applies to all members from their next request.",
    right,
    exclusive: true,
    body: TeamBody,
    reply: Team,
    log: ["team", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeTeam(ctx, params.teamid, body);
      return new Reply(replyOf(ctx, row), changed ? { before: replyOf(ctx, before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:teamid`,
    tag,
    summary: "Delete a team",
    desc: "Members keep the rights of their other teams; members without another team get this team's rights as their own. The team's allow lists are deleted too.",
    right,
    exclusive: true,
    reply: "status",
    log: ["team", "delete"],
    within: 60_000,
    run: async ({ params }, ctx) => replyOf(ctx, await removeTeam(ctx, params.teamid)),
  }),
];

const replyOf = ({ settings }: Ctx, row: TeamRow): Static<typeof Team> => ({
  id: row.id,
  name: row.name,
  permissions: showPermissions(permissionsOf(row), settings.edition),
  ip_whitelist: [...row.ip_whitelist],
});
