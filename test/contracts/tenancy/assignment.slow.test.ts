/** What a reply shows and a request cannot set is not stored when a request sends it all the same. */
import { expect, test } from "vitest";
import { routes } from "../../../src/control/index.ts";
import { type Fields, startApi } from "../../api.ts";
import { rowsOfAccount } from "./rows.ts";

const api = await startApi();
const accounts = await api.store.db.selectFrom("account").select("id").execute();
const account_id = accounts[0]!.id;
const answers = [{ answer: ["192.0.2.1"] }];
let made = 0;
const fresh = () => `name-${++made}`;
const zone = "assigned.example";
await api.must("PUT", `zones/${zone}`, {});
const idOf = async (path: string, body: Fields) => String((await api.must("PUT", path, body))["id"]);
const source = await idOf("data/sources", { name: "s", sourcetype: "nsone_v1" });
const feed = await idOf(`data/feeds/${source}`, { name: "f", config: { label: "f" } });
const key = await idOf("account/apikeys", { name: "key" });
const team = await idOf("account/teams", { name: "team" });
const list = await idOf("account/whitelist", { name: "list" });
await api.must("PUT", "account/users", { username: "assigned", name: "u", email: "u@example.net" });
await api.must("PUT", "tsig/key.example", { secret: "c2VjcmV0" });
await api.must("PUT", `zones/${zone}/${zone}/A`, { answers });

/** Requests that are done, by the endpoint; a new one each time. */
const requests: Readonly<Record<string, () => readonly [path: string, body: Fields]>> = {
  "PUT /v1/zones/:zone": () => [`zones/${fresh()}.example`, {}],
  "POST /v1/zones/:zone": () => [`zones/${zone}`, { ttl: 100 + ++made }],
  "PUT /v1/zones/:zone/:domain/:type": () => [`zones/${zone}/${fresh()}.${zone}/A`, { answers }],
  "POST /v1/zones/:zone/:domain/:type": () => [`zones/${zone}/${zone}/A`, { ttl: 100 + ++made }],
  "PUT /v1/data/sources": () => ["data/sources", { name: fresh(), sourcetype: "nsone_v1" }],
  "POST /v1/data/sources/:sourceid": () => [`data/sources/${source}`, { name: fresh() }],
  "PUT /v1/data/feeds/:sourceid": () => [`data/feeds/${source}`, { name: fresh(), config: { label: fresh() } }],
  "POST /v1/data/feeds/:sourceid/:feedid": () => [`data/feeds/${source}/${feed}`, { name: fresh() }],
  "PUT /v1/tsig/:name": () => [`tsig/${fresh()}.example`, { secret: "c2VjcmV0" }],
  "POST /v1/tsig/:name": () => ["tsig/key.example", { secret: "bmV3" }],
  "PUT /v1/account/apikeys": () => ["account/apikeys", { name: fresh() }],
  "POST /v1/account/apikeys/:keyid": () => [`account/apikeys/${key}`, { name: fresh() }],
  "PUT /v1/account/teams": () => ["account/teams", { name: fresh() }],
  "POST /v1/account/teams/:teamid": () => [`account/teams/${team}`, { name: fresh() }],
  "PUT /v1/account/users": () => ["account/users", { username: `user-${++made}`, name: "u", email: "u@example.net" }],
  "PUT /v1/account/users/:username": () => [`account/users/user-${++made}`, { name: "u", email: "u@example.net" }],
  "POST /v1/account/users/:username": () => ["account/users/assigned", { name: fresh() }],
  "PUT /v1/account/whitelist": () => ["account/whitelist", { name: fresh() }],
  "POST /v1/account/whitelist/:id": () => [`account/whitelist/${list}`, { name: fresh() }],
  "POST /v1/account/settings": () => ["account/settings", { company: fresh() }],
  "POST /v1/account/usagewarnings": () => ["account/usagewarnings", { queries: { warning_1: ++made % 80 } }],
  "PUT /v1/zones/:zone/versions": () => [`zones/${zone}/versions`, { name: fresh() }],
};

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
}

const fieldsOf = ({ properties = {}, anyOf = [] }: Schema): string[] => [
  ...Object.keys(properties),
  ...anyOf.flatMap(fieldsOf),
];

/** Of the store, and of other resources. */
const usual = [
  ...[
    "id",
    "account_id",
    "accountid",
    "customerid",
    "created",
    "created_at",
    "updated_at",
    "last_access",
    "2fa_enabled",
  ],
  ...["serial", "dns_servers", "pool", "network_pools", "zone_id", "source_id", "user_id", "secret_id", "hash", "plan"],
  ...["suspended_at", "withheld", "expired", "hidden", "catalog_id", "refresh_at", "tier", "version", "status", "data"],
];

const marks = ["marked-by-a-body.example", 4_242_424_242, ["marked-by-a-body.example"], { mark: 4_242_424_242 }];

const marked = /marked-by-a-body|4242424242/;

for (const { method, path, body, reply } of routes) {
  const request = requests[`${method} ${path}`];
  if (!request) continue;
  test(`${method} ${path}`, async () => {
    const settable = new Set(fieldsOf(body));
    const shown = typeof reply === "string" ? [] : fieldsOf(reply);
    const fixed = [...new Set([...shown, ...usual])].filter((field) => !settable.has(field));
    expect((await api.call(method, ...request())).status).toBe(200);
    for (const mark of [...marks, account_id]) {
      // all at once; one by one where that is refused
      const send = async (fields: readonly string[]) => {
        const [to, body] = request();
        return await api.call(method, to, { ...body, ...Object.fromEntries(fields.map((field) => [field, mark])) });
      };
      const together = await send(fixed);
      const sent = together.status === 200 ? [together] : await Promise.all(fixed.map((field) => send([field])));
      for (const { status, text } of sent) {
        expect([200, 400], text).toContain(status);
        if (mark !== account_id && status === 200) expect(text).not.toMatch(marked);
      }
    }
    expect(await rowsOfAccount(api.store, account_id)).not.toMatch(marked);
    expect(await api.store.db.selectFrom("account").select("id").execute()).toEqual(accounts);
  });
}
