/** What an operator sees of the installation. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";
import { edgeBeside } from "../../../test/service/edge.ts";
import { controlOptions } from "../../cli/host/control-options.ts";
import { readConfig } from "../../config/config.ts";
import { version } from "../../config/version.ts";

const given = { databaseUrl: "postgres://fairlead:s3cret@db.example/fairlead", dns: ["192.0.2.53:53"], nsid: "" };
const environment = { FAIRLEAD_COOKIE_SECRET: "00112233445566778899aabbccddeeff", FAIRLEAD_KEEP_DELETED: "7" };
const { configuration } = controlOptions(readConfig(given, environment), given.databaseUrl);
const api = await startApi({ configuration });
const get = <T = Fields>(path: string) => api.must<T>("GET", `operator/${path}`);

test("edges are listed with what they report, and those of earlier versions with what is known", async () => {
  await api.must("PUT", "zones/one.example", {});
  await edgeBeside(api, { id: "edge-b", version: "1.2.3", networks: [0, 7] });
  const { db } = api.store;
  const seen_at = Math.floor(Date.now() / 1000) - 100;
  await db.insertInto("follower").values({ id: "edge-a", revision: 0, seen_at }).execute();
  const comparison = JSON.stringify({ revision: 0, since: 0, compared: 0, differing: ["theirs.example"] });
  await db.updateTable("follower").set({ comparison }).where("id", "=", "edge-a").execute();
  const named = { version: "1.2.3", networks: [0, 7], zones: 1 };
  const edges = () => get<Fields[]>("edges");
  await expect.poll(edges, { timeout: 10_000 }).toMatchObject([{ id: "edge-a" }, { id: "edge-b", ...named }]);
  const [former, current] = await edges();
  expect(former).toMatchObject({ differing: 1, version: null, networks: null, memory: null, revision: 0 });
  expect(Number(former?.["behind"])).toBeGreaterThan(0);
  expect(Number(former?.["age"])).toBeGreaterThanOrEqual(100);
  expect(current).toMatchObject({ behind: 0, differing: 0, memory: expect.any(Number), started: expect.any(Number) });
  expect(JSON.stringify(await edges())).not.toContain("theirs.example");
  const first = await api.call<Fields[]>("GET", "operator/edges?limit=1");
  expect(first.body.map(({ id }) => id)).toEqual(["edge-a"]);
  const second = await api.must<Fields[]>("GET", nextPath(first.headers)!);
  expect(second.map(({ id }) => id)).toEqual(["edge-b"]);
});

test("control processes are listed while they run", async () => {
  const controls = () => get<(Fields & { leases: string[] })[]>("controls");
  await expect.poll(controls, { timeout: 10_000 }).toHaveLength(1);
  const { storeUrl, directory } = api;
  const other = await startApi({ storeUrl, directory });
  await expect.poll(controls, { timeout: 10_000 }).toHaveLength(2);
  const both = await controls();
  expect(both.filter(({ self }) => self)).toHaveLength(1);
  expect(both[0]).toMatchObject({ version, host: expect.any(String), started: expect.any(Number) });
  expect(both.flatMap(({ leases }) => leases)).toContain("sequencer");
  expect(await other.must("GET", "operator/controls")).toHaveLength(2);
  const long_ago = Math.floor(Date.now() / 1000) - 1000;
  const gone = { id: "gone", host: "h", version, started: long_ago, seen_at: long_ago };
  await api.store.db.insertInto("control_process").values(gone).execute();
  expect(await controls()).toHaveLength(2);
});

test("the store's state follows writes", async () => {
  const before = await get<Record<string, number>>("store");
  expect(before).toMatchObject({
    server: expect.stringMatching(/^PostgreSQL [\d.]+$/),
    embedded: false,
    schema: expect.stringMatching(/^\d{4}_/),
    epoch: expect.any(Number),
    replication: { synchronous: "", standbys: [] },
    disk: { directory: api.directory, has_store: false },
  });
  expect(before["size"]).toBeGreaterThan(1_000_000);
  const { revision } = await api.numbered(await api.call("PUT", "zones/two.example", {}));
  expect((await get<Record<string, number>>("store"))["revision"]).toBeGreaterThanOrEqual(revision);
});

test("the configuration shows values and where they are from, and secrets only as set", async () => {
  const { text } = await api.call("GET", "operator/configuration");
  expect(text).not.toMatch(/s3cret|db\.example|00112233/);
  const settings = await get<(Fields & { key: string })[]>("configuration");
  const setting = (name: string) => settings.find(({ key }) => key === name);
  const secret = { secret: true, values: [] };
  expect(setting("database-url")).toMatchObject({ source: "flag", ...secret });
  expect(setting("cookie-secret")).toMatchObject({ source: "environment", ...secret });
  expect(setting("api-key")).toMatchObject({ source: "default", ...secret });
  expect(setting("dns")).toMatchObject({ source: "flag", values: ["192.0.2.53:53"], reloads: true, secret: false });
  expect(setting("keep-deleted")).toMatchObject({ source: "environment", values: ["7"], default: "30" });
  expect(setting("nsid")).toMatchObject({ source: "default", values: [] });
});

test("accounts are listed in pages, with counts and nothing else", async () => {
  const other = await api.stranger();
  await other.must("PUT", "zones/theirs.example", {});
  await other.must("PUT", "zones/theirs.example/www.theirs.example/A", { answers: [{ answer: ["192.0.2.1"] }] });
  const rows: Fields[] = [];
  for (let path: string | undefined = "operator/accounts?limit=1"; path; ) {
    const { body, headers, text } = await api.call<Fields[]>("GET", path);
    expect([body.length, text.includes("theirs")]).toEqual([1, false]);
    rows.push(...body);
    path = nextPath(headers);
  }
  expect(rows).toHaveLength(2);
  const named = (name: string) => rows.find((row) => row["name"] === name);
  // NS at the apex, and the A record
  expect(named("other")).toMatchObject({
    operator: false,
    zones: 1,
    records: 2,
    users: 1,
    keys: 1,
    suspended_at: null,
  });
  expect(named("first")).toMatchObject({ operator: true, users: 1 });
});

test("others are served while an operator asks without pause", async () => {
  const other = await api.stranger();
  let isDone = false;
  const ask = async (client: Client) => {
    while (!isDone) await client.must("GET", "operator/accounts");
  };
  const asking = Promise.all(Array.from({ length: 20 }, () => ask(api)));
  for (let n = 0; n < 20; n++) {
    const since = performance.now();
    await other.must("GET", "zones");
    expect(performance.now() - since).toBeLessThan(1000);
  }
  isDone = true;
  await asking;
});
