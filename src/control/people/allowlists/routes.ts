/** The routes of an account's allow lists. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { maybe, names } from "../../kit/schema.ts";
import { route } from "../../write/route.ts";
import { listRows } from "../members/rows-store.ts";
import type { AllowListRow } from "./store.ts";
import { changeAllowList, createAllowList, getAllowList, removeAllowList } from "./write.ts";

const tag = "Account";
const path = "/v1/account/whitelist";
const right = "account.manage_ip_whitelist";
const effect =
  "While any list of the account contains a value, the account's keys and users are accepted only from the addresses in " +
  "these lists. A change that would exclude the request's own address is refused.";

const AllowList = Type.Object(
  { id: Type.String(), name: Type.String(), values: names("Addresses and prefixes.") },
  { $id: "AllowList" },
);
const AllowListBody = Type.Object(
  { name: maybe(Type.String()), values: maybe(names("Addresses and prefixes; they replace the earlier values.")) },
  { $id: "AllowListBody" },
);
const NewAllowListBody = Type.Object(
  { name: Type.String(), values: maybe(names("Addresses and prefixes without host bits.")) },
  { $id: "NewAllowListBody", examples: [{ name: "office", values: ["192.0.2.0/24", "2001:db8::/48"] }] },
);
export type AllowListBody = Static<typeof AllowListBody>;

export const allowListRoutes = [
  route({
    method: "GET",
    path,
    tag,
    summary: "List the account's allow lists",
    right,
    reply: Type.Array(AllowList),
    run: async (_, { db, account_id }) => (await listRows(db, "allow_list", account_id)).map(replyOf),
  }),
  route({
    method: "GET",
    path: `${path}/:id`,
    tag,
    summary: "Get an allow list of the account",
    right,
    reply: AllowList,
    run: async ({ params }, ctx) => replyOf(await getAllowList(ctx, params.id)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create an allow list of the account",
    desc: effect,
    right,
    exclusive: true,
    body: NewAllowListBody,
    reply: AllowList,
    log: ["whitelist", "create"],
    run: async ({ body }, ctx) => replyOf(await createAllowList(ctx, body)),
  }),
  route({
    method: "POST",
    path: `${path}/:id`,
    tag,
    summary: "Change an allow list of the account",
    desc: `Omitted fields keep their values. ${effect}`,
    right,
    exclusive: true,
    body: AllowListBody,
    reply: AllowList,
    log: ["whitelist", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeAllowList(ctx, params.id, body);
      return new Reply(replyOf(row), changed ? { before: replyOf(before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path: `${path}/:id`,
    tag,
    summary: "Delete an allow list of the account",
    desc: effect,
    right,
    exclusive: true,
    reply: "status",
    log: ["whitelist", "delete"],
    run: async ({ params }, ctx) => replyOf(await removeAllowList(ctx, params.id)),
  }),
];

const replyOf = ({ id, name, values }: AllowListRow): Static<typeof AllowList> => ({ id, name, values });
