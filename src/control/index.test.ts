/** The rules for every endpoint: it requires a key and a right, its reply fits the schema, and a write leaves one entry. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../test/service/api.ts";
import { newId } from "../lib/ids.ts";
import { type Right, rightPath } from "./access/rights.ts";
import { routes as all } from "./index.ts";

/** Routes for users alone, and one that needs another server, have tests of their own. */
const elsewhere = /^\/v1\/(?:drafts|views|import\/transfer)\b/;
/** Without the routes open to everybody, which are for pages and have their own tests. */
const routes = all.filter(({ right, path }) => right !== "open" && !elsewhere.test(path));

/** The texts of all names in the public DNS. */
const published: string[] = [];
const publicNames = {
  isUndelegated: async () => false,
  serversOf: async () => ["ns.elsewhere.example"],
  delegationOf: async () => undefined,
  textsOf: async () => published,
  close() {},
};
const api = await startApi({ deletionGuard: 100, publicNames });
const zone = "matrix.example";
await api.must("PUT", `zones/${zone}`, {});
let count = 0;
const fresh = () => `n${++count}.${zone}`;

/** Prepares a request that a route accepts, together with the objects that it needs. */
interface Example {
  readonly path: string;
  readonly body?: Fields | string;
  /** The expected status; 200 by default. */
  readonly status?: number;
}

const zoneFile = "@ 60 SOA ns.example. admin.example. 1 2 3 4 5\n";

const answers = [{ answer: ["192.0.2.1"] }];

async function record(body: Fields = { answers }): Promise<string> {
  const path = `zones/${zone}/${fresh()}/A`;
  await api.must("PUT", path, body);
  return path;
}

async function key(): Promise<string> {
  const { id } = await api.must<{ id: string }>("PUT", "account/apikeys", { name: newId() });
  return `account/apikeys/${id}`;
}

/** The paths of an expiring key's secrets and of its first secret. */
async function secrets(): Promise<readonly [all: string, first: string]> {
  const body = { name: newId(), expiry_duration: "30d" };
  const { id, secrets } = await api.must<{ id: string; secrets: { id: string }[] }>("PUT", "account/apikeys", body);
  return [`account/apikeys/${id}/secrets`, `account/apikeys/${id}/secrets/${secrets[0]?.id}`];
}

async function allowList(): Promise<string> {
  const { id } = await api.must("PUT", "account/whitelist", { name: "list" });
  return `account/whitelist/${id}`;
}

async function team(): Promise<string> {
  const { id } = await api.must("PUT", "account/teams", { name: newId() });
  return `account/teams/${id}`;
}

const newUser = () => {
  const username = `u-${newId()}`;
  return { username, email: `${username}@example.com` };
};

/** The name of a user who was invited. */
async function user(): Promise<string> {
  return String((await api.must("PUT", "account/users", newUser()))["username"]);
}

/** The name of a user who signs in with a second factor. */
async function guardedUser(): Promise<string> {
  const username = await user();
  const table = api.store.db.selectFrom("account_user").select(["account_id", "id"]);
  const { account_id, id } = await table.where("username", "=", username).executeTakeFirstOrThrow();
  const factor = { totp: "sealed", totp_since: 1, totp_step: 0 };
  await api.store.db
    .insertInto("user_credential")
    .values({ account_id, user_id: id, password: "hash", ...factor })
    .execute();
  return username;
}

/** The path of the zone's newest version, once every change has become a version. */
async function version(): Promise<string> {
  const { id } = await api.must("PUT", `zones/${zone}/versions`, {});
  return `zones/${zone}/versions/${id}`;
}

async function otherZone(): Promise<string> {
  const path = `zones/z${++count}.example`;
  await api.must("PUT", path, {});
  return path;
}

const newSource = { name: "a source", sourcetype: "nsone_v1" };
const newFeed = { name: "a feed", config: { label: "a" } };

async function provenZone(): Promise<string> {
  const { record } = await api.must<{ record: { value: string } }>("GET", "zones/claimed.example/claim");
  published.push(record.value);
  return "claimed.example";
}

async function deletedZone(): Promise<string> {
  const path = await otherZone();
  await api.must("DELETE", path);
  return path.replace("zones/", "deletedzones/");
}

/** The paths of a new source, of its feeds, and of a new feed. */
const source = async () => `data/sources/${(await api.must("PUT", "data/sources", newSource))["id"]}`;
const feeds = async () => (await source()).replace("sources", "feeds");
async function feed(): Promise<string> {
  const path = await feeds();
  return `${path}/${(await api.must("PUT", path, newFeed))["id"]}`;
}

async function tsigKey(): Promise<string> {
  const path = `tsig/k${++count}.example`;
  await api.must("PUT", path, { secret: "c2VjcmV0" });
  return path;
}

const examples: Record<string, () => Example | Promise<Example>> = {
  "GET /v1/zones": () => ({ path: "zones" }),
  "GET /v1/zones/:zone": () => ({ path: `zones/${zone}` }),
  "PUT /v1/zones/:zone": () => ({ path: `zones/z${++count}.example`, body: {} }),
  "POST /v1/zones/:zone": () => ({ path: `zones/${zone}`, body: { ttl: 1000 + ++count } }),
  "DELETE /v1/zones/:zone": async () => ({ path: await otherZone() }),
  // the zone has no DNSSEC
  "GET /v1/zones/:zone/dnssec": () => ({ path: `zones/${zone}/dnssec`, status: 404 }),
  "GET /v1/zones/:zone/:domain/:type": async () => ({ path: await record() }),
  "PUT /v1/zones/:zone/:domain/:type": () => ({ path: `zones/${zone}/${fresh()}/A`, body: { answers } }),
  "POST /v1/zones/:zone/:domain/:type": async () => ({ path: await record(), body: { ttl: 1 } }),
  "DELETE /v1/zones/:zone/:domain/:type": async () => ({ path: await record() }),
  "POST /v1/zones/:zone/:domain/:type/answers": async () => ({
    path: `${await record()}/answers`,
    body: { add: [{ answer: ["192.0.2.2"] }] },
  }),
  "POST /v1/zones/:zone/records": () => ({
    path: `zones/${zone}/records`,
    body: { put: [{ domain: fresh(), type: "A", answers }] },
  }),
  "GET /v1/zones/:zone/versions": () => ({ path: `zones/${zone}/versions` }),
  "GET /v1/zones/:zone/versions/:id": async () => ({ path: await version() }),
  "PUT /v1/zones/:zone/versions": () => ({ path: `zones/${zone}/versions`, body: { name: newId() } }),
  "DELETE /v1/zones/:zone/versions/:id": async () => ({ path: await version() }),
  "POST /v1/zones/:zone/versions/:id/activate": async () => {
    const path = await version();
    await record();
    return { path: `${path}/activate` };
  },
  "POST /v1/zones/:zone/:domain/:type/restore": async () => {
    const path = await record();
    const at = (await version()).replace(/.*\//, "");
    await api.must("POST", path, { ttl: 1 });
    return { path: `${path}/restore`, body: { version: Number(at) } };
  },
  "GET /v1/zones/:zone/diff": () => ({ path: `zones/${zone}/diff` }),
  "GET /v1/zones/:zone/claim": async () => ({ path: "zones/claimed.example/claim" }),
  "POST /v1/zones/:zone/claim": async () => ({ path: `zones/${await provenZone()}/claim` }),
  "GET /v1/zones/:zone/delegation": () => ({ path: `zones/${zone}/delegation` }),
  "POST /v1/zones/:zone/delegation": () => ({ path: `zones/${zone}/delegation` }),
  "GET /v1/deletedzones": () => ({ path: "deletedzones" }),
  "POST /v1/deletedzones/:zone/undelete": async () => ({ path: `${await deletedZone()}/undelete` }),
  "DELETE /v1/deletedzones/:zone": async () => ({ path: await deletedZone() }),
  "PUT /v1/changesets": () => ({
    path: "changesets",
    body: { records: [{ action: "put", zone, domain: fresh(), type: "A", answers }] },
  }),
  "GET /v1/changesets/:id": async () => {
    const answer = await api.call("PUT", `zones/${zone}/${fresh()}/A`, { answers });
    return { path: `changesets/${answer.headers.get("x-fairlead-change")}` };
  },
  "PUT /v1/import/zonefile/:zone": () => ({ path: `import/zonefile/z${++count}.example`, body: zoneFile }),
  "GET /v1/import/zonefile/:zone": async () => {
    const { id } = await api.must("PUT", `import/zonefile/z${++count}.example?async=true`, zoneFile);
    const path = `import/zonefile/${id}`;
    // the import still runs, and writes its entry to the activity log when it ends
    while ((await api.must("GET", path))["percent"] !== 100);
    return { path };
  },
  "PUT /v1/export/zonefile/:zone": () => ({ path: `export/zonefile/${zone}` }),
  "GET /v1/export/zonefile/:zone/status": () => ({ path: `export/zonefile/${zone}/status` }),
  "GET /v1/export/zonefile/:zone": () => ({ path: `export/zonefile/${zone}` }),
  "GET /v1/zones/:zone/lint": () => ({ path: `zones/${zone}/lint` }),
  "POST /v1/explain": () => ({ path: "explain", body: { name: zone, type: "NS" } }),
  "GET /v1/networks": () => ({ path: "networks" }),
  "GET /v1/filtertypes": () => ({ path: "filtertypes" }),
  "GET /v1/monitoring/jobs": () => ({ path: "monitoring/jobs" }),
  "PUT /v1/monitoring/jobs": () => ({ path: "monitoring/jobs", status: 400 }),
  "GET /v1/monitoring/jobtypes": () => ({ path: "monitoring/jobtypes" }),
  "GET /v1/monitoring/regions": () => ({ path: "monitoring/regions" }),
  "GET /v1/lists": () => ({ path: "lists" }),
  "PUT /v1/lists": () => ({ path: "lists", status: 400 }),
  "GET /v1/notifytypes": () => ({ path: "notifytypes" }),
  "GET /v1/metatypes": () => ({ path: "metatypes" }),
  "GET /v1/metatypes/geo": () => ({ path: "metatypes/geo" }),
  "GET /v1/search": () => ({ path: "search?q=matrix&expand=true" }),
  "GET /v1/search/zone/:zone_id": () => ({ path: `search/zone/${zone}?q=n` }),
  "GET /v1/stats/qps": () => ({ path: "stats/qps" }),
  "GET /v1/stats/qps/:zone": () => ({ path: `stats/qps/${zone}` }),
  "GET /v1/stats/qps/:zone/:domain/:type": () => ({ path: `stats/qps/${zone}/${zone}/NS` }),
  "GET /v1/stats/mix": () => ({ path: "stats/mix" }),
  "GET /v1/stats/mix/:zone": () => ({ path: `stats/mix/${zone}` }),
  "GET /v1/stats/missing/:zone": () => ({ path: `stats/missing/${zone}` }),
  "GET /v1/stats/tail/:zone": () => ({ path: `stats/tail/${zone}` }),
  "GET /v1/stats/usage": () => ({ path: "stats/usage?expand=true" }),
  "GET /v1/stats/usage/:zone": () => ({ path: `stats/usage/${zone}?expand=true` }),
  "GET /v1/stats/usage/:zone/:domain/:type": () => ({ path: `stats/usage/${zone}/${zone}/NS` }),
  "GET /v1/stats/top": () => ({ path: "stats/top" }),
  "GET /v1/stats/top/:zone": () => ({ path: `stats/top/${zone}` }),
  "GET /v1/stats/marks": () => ({ path: "stats/marks" }),
  "GET /v1/stats/marks/:zone": () => ({ path: `stats/marks/${zone}` }),
  "GET /v1/stats/marks/:zone/:domain/:type": () => ({ path: `stats/marks/${zone}/${zone}/NS` }),
  "GET /v1/attention": () => ({ path: "attention" }),
  "GET /v1/changes/:id": async () => {
    const answer = await api.call("PUT", `zones/${zone}/${fresh()}/A`, { answers });
    return { path: `changes/${answer.headers.get("x-fairlead-change")}` };
  },
  "GET /v1/data/sourcetypes": () => ({ path: "data/sourcetypes" }),
  "GET /v1/data/sources": () => ({ path: "data/sources" }),
  "GET /v1/data/sources/:sourceid": async () => ({ path: await source() }),
  "PUT /v1/data/sources": () => ({ path: "data/sources", body: newSource }),
  "POST /v1/data/sources/:sourceid": async () => ({ path: await source(), body: { name: newId() } }),
  "DELETE /v1/data/sources/:sourceid": async () => ({ path: await source() }),
  "GET /v1/data/feeds/:sourceid": async () => ({ path: await feeds() }),
  "GET /v1/data/feeds/:sourceid/:feedid": async () => ({ path: await feed() }),
  "GET /v1/data/feeds/:sourceid/:feedid/status": async () => ({ path: `${await feed()}/status` }),
  "GET /v1/data/sources/:sourceid/pushes": async () => ({ path: `${await source()}/pushes` }),
  "PUT /v1/data/feeds/:sourceid": async () => ({ path: await feeds(), body: newFeed }),
  "POST /v1/data/feeds/:sourceid/:feedid": async () => ({ path: await feed(), body: { name: newId() } }),
  "DELETE /v1/data/feeds/:sourceid/:feedid": async () => ({ path: await feed() }),
  "POST /v1/feed/:id": async () => ({ path: (await feed()).replace(/.*\//, "feed/"), body: { up: true } }),
  "GET /v1/account/apikeys": () => ({ path: "account/apikeys" }),
  "GET /v1/account/apikeys/:keyid": async () => ({ path: await key() }),
  "PUT /v1/account/apikeys": () => ({ path: "account/apikeys", body: { name: newId() } }),
  "POST /v1/account/apikeys/:keyid": async () => ({ path: await key(), body: { name: newId() } }),
  "DELETE /v1/account/apikeys/:keyid": async () => ({ path: await key() }),
  "POST /v1/account/apikeys/:keyid/rotate": async () => ({ path: `${await key()}/rotate`, body: {} }),
  "POST /v1/account/apikeys/:keyid/secrets": async () => ({ path: (await secrets())[0], body: {} }),
  "POST /v1/account/apikeys/:keyid/secrets/:secretid": async () => ({
    path: (await secrets())[1],
    body: { enabled: false },
  }),
  "DELETE /v1/account/apikeys/:keyid/secrets/:secretid": async () => ({ path: (await secrets())[1] }),
  "GET /v1/zones/:zone/transfer": () => ({ path: `zones/${zone}/transfer` }),
  "GET /v1/account/settings": () => ({ path: "account/settings" }),
  "POST /v1/account/settings": () => ({ path: "account/settings", body: { company: newId() } }),
  "GET /v1/account/usagewarnings": () => ({ path: "account/usagewarnings" }),
  "POST /v1/account/usagewarnings": () => {
    const warning_1 = count++ % 80;
    return { path: "account/usagewarnings", body: { queries: { warning_1 } } };
  },
  "GET /v1/account/whitelist": () => ({ path: "account/whitelist" }),
  "GET /v1/account/whitelist/:id": async () => ({ path: await allowList() }),
  "PUT /v1/account/whitelist": () => ({ path: "account/whitelist", body: { name: "list", values: ["127.0.0.1"] } }),
  "POST /v1/account/whitelist/:id": async () => ({ path: await allowList(), body: { name: newId() } }),
  "DELETE /v1/account/whitelist/:id": async () => ({ path: await allowList() }),
  "GET /v1/account/users": () => ({ path: "account/users" }),
  "GET /v1/account/users/:username": () => ({ path: "account/users/admin" }),
  "PUT /v1/account/users": () => ({ path: "account/users", body: newUser() }),
  "PUT /v1/account/users/:username": () => {
    const { username, email } = newUser();
    return { path: `account/users/${username}`, body: { email } };
  },
  "POST /v1/account/users/:username": async () => ({ path: `account/users/${await user()}`, body: { name: newId() } }),
  "DELETE /v1/account/users/:username": async () => ({ path: `account/users/${await user()}` }),
  "POST /v1/account/reinvite/:username": async () => ({ path: `account/reinvite/${await user()}` }),
  "DELETE /v1/account/2factor/reset/:username": async () => ({ path: `account/2factor/reset/${await guardedUser()}` }),
  "GET /v1/account/teams": () => ({ path: "account/teams" }),
  "GET /v1/account/teams/:teamid": async () => ({ path: await team() }),
  "PUT /v1/account/teams": () => ({ path: "account/teams", body: { name: newId() } }),
  "POST /v1/account/teams/:teamid": async () => ({ path: await team(), body: { name: newId() } }),
  "DELETE /v1/account/teams/:teamid": async () => ({ path: await team() }),
  "GET /v1/account/apikeys/:keyid/effective": async () => ({ path: `${await key()}/effective?zone=${zone}` }),
  "GET /v1/account/users/:username/effective": () => ({ path: "account/users/admin/effective" }),
  "GET /v1/account/teams/:teamid/effective": async () => ({ path: `${await team()}/effective` }),
  "GET /v1/account/twofactor": () => ({ path: "account/twofactor" }),
  "POST /v1/account/twofactor": async () => {
    const { required } = await api.must("GET", "account/twofactor");
    return { path: "account/twofactor", body: { required: !required } };
  },
  "GET /v1/tsig": () => ({ path: "tsig" }),
  "GET /v1/tsig/:name": async () => ({ path: await tsigKey() }),
  "PUT /v1/tsig/:name": () => ({ path: `tsig/k${++count}.example`, body: { secret: "c2VjcmV0" } }),
  "POST /v1/tsig/:name": async () => ({ path: await tsigKey(), body: { secret: "bmV3" } }),
  "DELETE /v1/tsig/:name": async () => ({ path: await tsigKey() }),
  "GET /v1/account/activity": () => ({ path: "account/activity" }),
  "GET /v1/recordtypes": () => ({ path: "recordtypes" }),
  "PUT /v1/demo": () => ({ path: "demo", body: { zone: `demo${++count}.example` } }),
  "GET /v1/changesets/:id/undo": async () => {
    const records = [{ action: "put", zone, domain: fresh(), type: "A", answers }];
    const { id } = await api.must("PUT", "changesets", { records });
    return { path: `changesets/${id}/undo` };
  },
  "GET /v1/operator/edges": () => ({ path: "operator/edges" }),
  "GET /v1/operator/controls": () => ({ path: "operator/controls" }),
  "GET /v1/operator/store": () => ({ path: "operator/store" }),
  "GET /v1/operator/configuration": () => ({ path: "operator/configuration" }),
  "GET /v1/operator/accounts": () => ({ path: "operator/accounts" }),
};

test("every route has an example", () => {
  expect(Object.keys(examples).sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
});

async function entries(): Promise<number> {
  const all = api.store.db.selectFrom("activity").select(({ fn }) => fn.countAll<number>().as("rows"));
  return (await all.executeTakeFirstOrThrow()).rows;
}
const nobody = api.client("not-a-key-of-anybody");

/** The rights of which a route needs one. */
const rightsOf = (right: (typeof routes)[number]["right"]): readonly Right[] =>
  typeof right !== "string" ? right : right === "any" || right === "open" ? [] : [right];

for (const route of routes) {
  const { method, path, right, log } = route;
  const name = `${method} ${path}`;
  describe(name, () => {
    let kept: Example;
    beforeAll(async () => {
      kept = await examples[name]!();
    });
    /** A request that changes nothing can use the same example again. */
    const used = () => (method === "GET" ? kept : examples[name]!());

    test("answers 401 without a known key, with rate headers", async () => {
      for (const client of [nobody, api.client("")]) {
        const answer = await client.call(method, kept.path, kept.body);
        expect(answer.status).toBe(401);
        expect(answer.body["message"]).toBeTypeOf("string");
        expect(Number(answer.headers.get("x-ratelimit-limit"))).toBeGreaterThan(0);
      }
    });

    test(`answers ${right === "any" ? "any key" : `403 without ${rightsOf(right).join(" and ")}`}`, async () => {
      if (right === "any" || right === "open") {
        const example = await used();
        const weakest = await api.limited({ dns: { view_zones: false, manage_zones: false } });
        return expect((await weakest.call(method, example.path, example.body)).status).toBe(200);
      }
      const [group] = rightPath(rightsOf(right)[0]!);
      const without = rightsOf(right).map((one) => [rightPath(one)[1], false]);
      const weak = await api.limited({ [group]: Object.fromEntries(without) });
      const before = await entries();
      const answer = await weak.call(method, kept.path, kept.body);
      expect([answer.status, answer.body["code"]]).toEqual([403, "denied"]);
      expect(await entries()).toBe(before);
    });

    test(`succeeds, and leaves ${log ? "one entry" : "no entry"} in the activity log`, async () => {
      const example = await used();
      const before = await entries();
      const answer = await api.call<unknown>(method, example.path, example.body);
      expect([answer.status, answer.text]).toEqual([example.status ?? 200, expect.stringMatching(/\n$/)]);
      expect(await entries()).toBe(before + (log ? 1 : 0));
      if (!log) return;
      const [entry] = await api.must<Fields[]>("GET", "account/activity?limit=1");
      expect(entry).toMatchObject({ resource_type: log[0], action: log[1], address: "127.0.0.1" });
      expect(entry).toMatchObject({ user_id: expect.stringMatching(/./), user_name: "first key", user_type: "apikey" });
    });

    test("answers the same with a trailing slash", async () => {
      const example = await used();
      const [before = "", query] = example.path.split("?");
      const slashed = `${before}/${query === undefined ? "" : `?${query}`}`;
      expect((await api.call(method, slashed, example.body)).status).toBe(example.status ?? 200);
    });
  });
}

describe("zone and record rules", async () => {
  const other = "closed.example";
  await api.must("PUT", `zones/${other}`, {});
  await api.must("PUT", `zones/${other}/www.${other}/A`, { answers });
  const narrow = await api.limited({ dns: { zones_allow_by_default: false, zones_allow: [zone.toUpperCase()] } });

  test("restrict zones in every endpoint that names a zone", async () => {
    for (const [method, path, body] of [
      ["GET", `zones/${other}`, undefined],
      ["POST", `zones/${other}`, { ttl: 1 }],
      ["DELETE", `zones/${other}`, undefined],
      ["PUT", "zones/new.example", {}],
      ["GET", `zones/${other}/www.${other}/A`, undefined],
      ["PUT", `zones/${other.toUpperCase()}./new.${other}/A`, { answers }],
      ["POST", `zones/${other}/www.${other}/A/answers`, { add: [{ answer: ["192.0.2.7"] }] }],
      ["POST", `zones/${other}/records`, { remove: [{ domain: `www.${other}`, type: "A" }] }],
    ] as const) {
      expect([method, path, (await narrow.call(method, path, body)).status]).toEqual([method, path, 403]);
    }
    expect((await narrow.call("GET", `search/zone/${other}`)).status).toBe(404);
  });

  test("filter listings, the search and the activity log", async () => {
    expect((await narrow.must<Fields[]>("GET", "zones")).map((row) => row["zone"])).toEqual([zone]);
    const found = await narrow.must<Fields[]>("GET", "search?q=closed&type=all");
    expect(found).toEqual([]);
    const log = await narrow.call("GET", "account/activity?limit=5000");
    expect(log.text).not.toContain(other);
    expect(log.text).toContain(zone);
  });

  test("restrict single records", async () => {
    const acme = `_acme-challenge.${zone}`;
    const client = await api.limited({ dns: { records_allow: [{ zone, domain: acme, type: "TXT" }] } });
    await client.must("PUT", `zones/${zone}/${acme}/TXT`, { answers: [{ answer: ["x"] }] });
    const records = await client.must<{ records: Fields[] }>("GET", `zones/${zone}`);
    expect(records.records.map((row) => row["domain"])).toEqual([acme]);
    const bulk = (domain: string, type: string) =>
      client.call("POST", `zones/${zone}/records`, { put: [{ domain, type, answers: [{ answer: ["x"] }] }] });
    expect((await bulk(acme, "TXT")).status).toBe(200);
    expect((await bulk(fresh(), "TXT")).status).toBe(403);
    expect((await client.call("PUT", `zones/${zone}/${fresh()}/A`, { answers })).status).toBe(403);
    expect((await client.call("POST", `zones/${zone}`, { ttl: 5 })).status).toBe(403);
    expect((await client.call("DELETE", `zones/${zone}`)).status).toBe(403);
    expect(
      (await client.must<Fields[]>("GET", "search?q=*&type=record")).filter((row) => row["zone"] === zone),
    ).toEqual([{ domain: acme, type: "TXT", zone }]);
  });

  test("protect a zone that contains a closed record", async () => {
    const path = await otherZone();
    const name = path.replace("zones/", "");
    await api.must("PUT", `${path}/mail.${name}/MX`, { answers: [{ answer: [1, "a.example"] }] });
    const client = await api.limited({ dns: { records_deny: [{ type: "MX" }] } });
    expect((await client.call("DELETE", path)).status).toBe(403);
    expect((await client.call("POST", path, { ttl: 5 })).status).toBe(403);
  });
});

test('tags that begin with "auth:" need both rights, in any spelling', async () => {
  const one = await api.limited({});
  const both = await api.limited({ account: { manage_auth_keys: true } });
  for (const tag of ["auth:x", "AUTH:x", " auth:x", "ａｕｔｈ：x"]) {
    const body = { answers, tags: { [tag]: "1" } };
    expect((await one.call("PUT", `zones/${zone}/${fresh()}/A`, body)).status).toBe(403);
    const path = `zones/${zone}/${fresh()}/A`;
    await both.must("PUT", path, body);
    await one.must("POST", path, { ttl: 9 });
    expect((await one.call("POST", path, { tags: {} })).status).toBe(403);
  }
});

test.for([
  ["PUT", "account/apikeys", { name: "k", permision: {} }, "permision", "permissions"],
  ["PUT", "account/apikeys", { name: "k", team: ["t"] }, "team", "teams"],
  ["PUT", "zones/a.example", { ttll: 60 }, "ttll", "ttl"],
  ["PUT", "zones/a.example/a.example/A", { answres: [] }, "answres", "answers"],
  ["PUT", "zones/a.example/a.example/A", { answer: ["192.0.2.1"] }, "answer", "answers"],
  ["POST", "zones/a.example/a.example/A/answers", { ad: [] }, "ad", "add"],
  ["PUT", "changesets", { record: [] }, "record", "records"],
  ["PUT", "zones/a.example/a.example/A", { answers: [{ anwser: ["192.0.2.1"] }] }, "answers[0].anwser", "answer"],
  [
    "PUT",
    "zones/a.example/a.example/A",
    { filters: [{ filter: "up", disable: true }] },
    "filters[0].disable",
    "disabled",
  ],
  ["PUT", "zones/a.example/a.example/A", { regions: { us: { mata: {} } } }, "regions.us.mata", "meta"],
  ["POST", "zones/a.example/a.example/A/answers", { remove: [{ anwser: [] }] }, "remove[0].anwser", "answer"],
  ["POST", "zones/a.example/records", { put: [{ domian: "a.example" }] }, "put[0].domian", "domain"],
  ["POST", "zones/a.example/records", { put: [{ answer: [] }] }, "put[0].answer", "answers"],
  ["PUT", "changesets", { zones: [{ zone: "a.example", acton: "create" }] }, "zones[0].acton", "action"],
  ["PUT", "changesets", { records: [{}, { answers: [{ reigon: "us" }] }] }, "records[1].answers[0].reigon", "region"],
  ["PUT", "zones/a.example", { primary: { secondarys: [] } }, "primary.secondarys", "secondaries"],
  ["PUT", "zones/a.example", { secondary: { tsig: { hsah: "" } } }, "secondary.tsig.hsah", "hash"],
  ["PUT", "account/apikeys", { name: "k", permissions: { dsn: {} } }, "permissions.dsn", "dns"],
  [
    ...(["PUT", "account/apikeys"] as const),
    { name: "k", permissions: { dns: { records_deny: [{ domian: "a.example" }] } } },
    ...(["permissions.dns.records_deny[0].domian", "domain"] as const),
  ],
] as const)("%s %s refuses %j if the caller says strict", async ([method, to, body, field, meant]) => {
  const answer = await api.call(method, `${to}?strict=true`, body);
  const message = `${field}: is not known; did you mean ${meant}?`;
  expect([answer.status, answer.body]).toEqual([400, { message, code: "invalid", details: { field } }]);
});
