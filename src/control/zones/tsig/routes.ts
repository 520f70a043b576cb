/** The routes of TSIG keys. */
import { type Static, Type } from "typebox";
import { Reply } from "../../../http/route/route.ts";
import { tsigKeyContext } from "../../../sync/peers.ts";
import { limits } from "../../kit/limits.ts";
import { openPage, shownPage } from "../../kit/listing.ts";
import { maybe } from "../../kit/schema.ts";
import type { Ctx } from "../../write/context.ts";
import { route } from "../../write/route.ts";
import { changeTsigKey, createTsigKey, getTsigKey, isUnlimited, removeTsigKey, shownKeyName } from "./key.ts";
import { listTsigKeys, type TsigRow } from "./store.ts";

const tag = "TSIG keys";
const path = "/v1/tsig/:name";
const read = "dns.view_zones";
const manage = "dns.manage_zones";

const TsigKey = Type.Object(
  {
    name: Type.String({ description: "Lower case, with a final dot. Paths and bodies may leave out the dot." }),
    algorithm: Type.String(),
    secret: Type.Optional(Type.String({ description: "Base64; only for callers with write access to all zones." })),
    created_at: Type.Integer(),
    updated_at: Type.Integer(),
  },
  { $id: "TsigKey" },
);

const algorithm = maybe(
  Type.String({
    description:
      "hmac-md5, hmac-sha1, hmac-sha224, hmac-sha256, hmac-sha384 or hmac-sha512; hmac-sha256 when left out.",
  }),
);
const name = maybe(Type.String({ description: "Must be the name in the path." }));
const secret = Type.String({ description: "Base64." });
const TsigBody = Type.Object({ name, algorithm, secret: maybe(secret) }, { $id: "TsigKeyBody" });
const NewTsigBody = Type.Object(
  { name, algorithm, secret },
  {
    $id: "NewTsigKeyBody",
    examples: [{ algorithm: "hmac-sha256", secret: "c2VjcmV0IG9mIHRoaXJ0eS10d28gb2N0ZXRzIQ==" }],
  },
);

export const tsigRoutes = [
  route({
    method: "GET",
    path: "/v1/tsig",
    tag,
    summary: "List TSIG keys",
    desc: "Ordered by name.",
    right: read,
    secret: true,
    reply: Type.Array(TsigKey),
    page: limits.tsigKeys,
    async run({ page }, ctx) {
      const { db, account_id } = ctx;
      const found = await openPage<TsigRow>(
        page.limit,
        () => true,
        (last, count) => listTsigKeys(db, account_id, last?.name ?? page.after, count),
      );
      const { shown, last } = await shownPage(found, (row) => replyOf(ctx, row));
      return new Reply(shown, { next: last?.name });
    },
  }),
  route({
    method: "GET",
    path,
    tag,
    summary: "Get a TSIG key",
    right: read,
    secret: true,
    reply: TsigKey,
    run: async ({ params }, ctx) => replyOf(ctx, await getTsigKey(ctx, params.name)),
  }),
  route({
    method: "PUT",
    path,
    tag,
    summary: "Create a TSIG key",
    desc: "Within a second, edges accept messages signed with the key and sign their replies with it.",
    right: manage,
    secret: true,
    body: NewTsigBody,
    reply: TsigKey,
    log: ["tsig_key", "create"],
    run: async ({ params, body }, ctx) => replyOf(ctx, await createTsigKey(ctx, params.name, body)),
  }),
  route({
    method: "POST",
    path,
    tag,
    summary: "Change a TSIG key",
    right: manage,
    secret: true,
    body: TsigBody,
    reply: TsigKey,
    log: ["tsig_key", "update"],
    async run({ params, body }, ctx) {
      const { before, row, changed } = await changeTsigKey(ctx, params.name, body);
      const reply = replyOf(ctx, row);
      return new Reply(reply, changed ? { before: replyOf(ctx, before) } : { changed });
    },
  }),
  route({
    method: "DELETE",
    path,
    tag,
    summary: "Delete a TSIG key",
    desc: "Refused while the secondaries of a zone use the key, or those of a deleted zone that can be brought back.",
    right: manage,
    reply: "status",
    log: ["tsig_key", "delete"],
    run: async ({ params }, ctx) => replyOf(ctx, await removeTsigKey(ctx, params.name)),
  }),
];

function replyOf({ secrets, caller }: Ctx, row: TsigRow): Static<typeof TsigKey> {
  const { name, algorithm, created_at, updated_at } = row;
  const shown = isUnlimited(caller) ? { secret: secrets.open(row.secret, tsigKeyContext(row.account_id, name)) } : {};
  return { name: shownKeyName(name), algorithm, ...shown, created_at, updated_at };
}
