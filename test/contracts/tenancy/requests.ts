/** For each endpoint that takes a body, a request that succeeds and writes; each call makes a new one. */
import type { Api, Fields } from "../../service/api.ts";
import type { Browser } from "../../service/browser.ts";

type Request = readonly [path: string, body: Fields];

export type Requests = Readonly<Record<string, () => Request | Promise<Request>>>;

/** Endpoints that are left out: a body may have any fields, or nothing is written, or nothing of the body is kept. */
export const exempt = new Set(["POST /v1/feed/:id", "POST /v1/explain", "PUT /v1/import/transfer/:zone"]);

const zone = "assigned.example";
const answers = [{ answer: ["192.0.2.1"] }];
const sources = { name: "s", sourcetype: "nsone_v1" };
const secondaries = [{ ip: "192.0.2.53", notify: false }];

/** `page` has a session of a user of the account. */
export async function prepare(api: Api, page: Browser): Promise<Requests> {
  let made = 0;
  const fresh = () => `name-${++made}`;
  const idOf = async (path: string, body: Fields) => String((await api.must("PUT", path, body))["id"]);
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("PUT", `zones/${zone}/${zone}/A`, { answers });
  await api.must("PUT", "account/users", { username: "assigned", name: "u", email: "u@example.net" });
  await api.must("PUT", "tsig/key.example", { secret: "c2VjcmV0" });
  const source = await idOf("data/sources", sources);
  const feed = await idOf(`data/feeds/${source}`, { name: "f", config: { label: "f" } });
  const team = await idOf("account/teams", { name: "team" });
  const list = await idOf("account/whitelist", { name: "list" });
  const newKey = (fields: Fields = {}) => idOf("account/apikeys", { name: fresh(), ...fields });
  const key = await newKey();
  const draft = String((await page.must("PUT", "drafts", { name: "begun" }))["id"]);
  const saved = { name: "saved", page: "zones", settings: {} };
  const view = String((await page.must("PUT", "views", saved))["id"]);
  const newUser = () => ({ name: "u", email: "u@example.net" });
  const record = () => ({ zone, domain: `${fresh()}.${zone}`, type: "A", answers });
  return {
    "PUT /v1/zones/:zone": () => [`zones/${fresh()}.example`, { primary: { enabled: true, secondaries } }],
    "POST /v1/zones/:zone": () => [`zones/${zone}`, { ttl: 100 + ++made }],
    "PUT /v1/zones/:zone/:domain/:type": () => [`zones/${zone}/${fresh()}.${zone}/A`, { answers }],
    "POST /v1/zones/:zone/:domain/:type": () => [`zones/${zone}/${zone}/A`, { ttl: 100 + ++made }],
    "POST /v1/zones/:zone/:domain/:type/answers": () => [
      `zones/${zone}/${fresh()}.${zone}/A/answers`,
      { add: answers },
    ],
    "POST /v1/zones/:zone/:domain/:type/restore": async () => {
      const version = Number(await idOf(`zones/${zone}/versions`, { name: fresh() }));
      await api.must("POST", `zones/${zone}/${zone}/A`, { ttl: 100 + ++made });
      return [`zones/${zone}/${zone}/A/restore`, { version }];
    },
    "POST /v1/zones/:zone/records": () => [`zones/${zone}/records`, { put: [record()] }],
    "PUT /v1/zones/:zone/versions": () => [`zones/${zone}/versions`, { name: fresh() }],
    "PUT /v1/changesets": () => [
      "changesets",
      { zones: [{ action: "create", zone: `${fresh()}.example` }], records: [{ action: "put", ...record() }] },
    ],
    "PUT /v1/drafts": () => ["drafts?strict=false", { name: fresh(), records: [{ action: "put", ...record() }] }],
    "POST /v1/drafts/:id": () => [
      `drafts/${draft}?strict=false`,
      { name: fresh(), records: [{ action: "put", ...record() }] },
    ],
    "PUT /v1/views": () => ["views?strict=false", { ...saved, name: fresh() }],
    "POST /v1/views/:id": () => [`views/${view}?strict=false`, { name: fresh() }],
    "PUT /v1/demo": () => ["demo", { zone: `${fresh()}.example` }],
    "PUT /v1/data/sources": () => ["data/sources", { ...sources, name: fresh() }],
    "POST /v1/data/sources/:sourceid": () => [`data/sources/${source}`, { name: fresh() }],
    "PUT /v1/data/feeds/:sourceid": () => [`data/feeds/${source}`, { name: fresh(), config: { label: fresh() } }],
    "POST /v1/data/feeds/:sourceid/:feedid": () => [`data/feeds/${source}/${feed}`, { name: fresh() }],
    "PUT /v1/tsig/:name": () => [`tsig/${fresh()}.example`, { secret: "c2VjcmV0" }],
    "POST /v1/tsig/:name": () => ["tsig/key.example", { secret: "bmV3" }],
    "PUT /v1/account/apikeys": () => ["account/apikeys", { name: fresh() }],
    "POST /v1/account/apikeys/:keyid": () => [`account/apikeys/${key}`, { name: fresh() }],
    "POST /v1/account/apikeys/:keyid/rotate": async () => [`account/apikeys/${await newKey()}/rotate`, {}],
    "POST /v1/account/apikeys/:keyid/secrets": async () => [
      `account/apikeys/${await newKey({ expiry_duration: "30d" })}/secrets`,
      {},
    ],
    "POST /v1/account/apikeys/:keyid/secrets/:secretid": async () => {
      const path = `account/apikeys/${await newKey({ expiry_duration: "30d" })}`;
      const { secrets } = await api.must<{ secrets: readonly [Fields] }>("GET", path);
      return [`${path}/secrets/${secrets[0]["id"]}`, { enabled: false }];
    },
    "PUT /v1/account/teams": () => ["account/teams", { name: fresh(), ip_whitelist: [{ name: "l", values: [] }] }],
    "POST /v1/account/teams/:teamid": () => [`account/teams/${team}`, { name: fresh() }],
    "PUT /v1/account/users": () => ["account/users", { username: `user-${++made}`, ...newUser() }],
    "PUT /v1/account/users/:username": () => [`account/users/user-${++made}`, newUser()],
    "POST /v1/account/users/:username": () => ["account/users/assigned", { name: fresh() }],
    "POST /v1/account/reinvite/:username": () => ["account/reinvite/assigned", { name: fresh() }],
    "PUT /v1/account/whitelist": () => ["account/whitelist", { name: fresh() }],
    "POST /v1/account/whitelist/:id": () => [`account/whitelist/${list}`, { name: fresh() }],
    "POST /v1/account/settings": () => ["account/settings", { company: fresh(), address: { city: fresh() } }],
    "POST /v1/account/usagewarnings": () => ["account/usagewarnings", { queries: { warning_1: ++made % 80 } }],
    "POST /v1/account/twofactor": () => ["account/twofactor", { required: ++made % 2 === 0 }],
  };
}
