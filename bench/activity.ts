/** The activity log with 1,000,000 entries, read over the API with the filters that clients use. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { Registry } from "prom-client";
import { controlOptions } from "../src/cli/host/control-options.ts";
import { readConfig } from "../src/config/config.ts";
import { startControl } from "../src/control/start.ts";
import { firstKey } from "../src/lib/files/credentials.ts";
import { newLog } from "../src/lib/log.ts";
import type { Store } from "../src/storage/db.ts";
import { startPostgres } from "../src/storage/embedded/postgres.ts";
import { across } from "../src/storage/fence/exceptions.ts";
import { bench } from "./kit/bench.ts";
import { type ApiAccess, apiClient } from "./kit/client.ts";
import { delayRows } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";

const entries = 1_000_000;
const entriesAtOnce = 5000;
const calls = 200;
/** The expected milliseconds of each request. */
const expected = { p99: 100 };
const formats = ["json", "xml", "csv", "html", "xlsx", "pdf"];
/** Megabytes by which control, which runs in this process, may grow while it makes reports. */
const mostGrown = 200;
const zones = 1000;
/** Seconds from one entry to the next: two years in total. */
const every = 63;

await bench(async (scale) => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  const log = newLog("warn", "bench");
  const postgres = await startPostgres({ directory, log });
  const listen = { address: "127.0.0.1", port: 0 };
  const control = await startControl({
    ...controlOptions(readConfig({ data: directory }, {}), postgres.url),
    ...{ listen, log, isStoreEmbedded: false, registry: new Registry(), extra: [] },
    rate: { limit: 1_000_000, period: 1 },
  });
  try {
    const api = { url: `http://127.0.0.1:${control.address.port}`, key: firstKey(directory)! };
    const count = scale(entries, 10_000);
    await fill(control.store, count);
    const asked = await ask(api, count, scale(calls, 20));
    return [...asked, ...(await report(api))];
  } finally {
    await control.close();
    await postgres.stop();
    rmSync(directory, { recursive: true });
  }
});

/** Nine in ten entries are about records. One user wrote half of all entries, another only the oldest ten. */
async function fill({ db }: Store, count: number): Promise<void> {
  const { id } = await db.selectFrom("account").select("id").modifyEnd(across("operator")).executeTakeFirstOrThrow();
  const since = Math.floor(Date.now() / 1000) - count * every;
  for (let first = 0; first < count; first += entriesAtOnce) {
    await sql`
    insert into activity (account_id, id, timestamp, resource_type, resource_id, user_id, user_name, user_type, action,
      address, zone, resource, before)
    select ${id}, lpad(to_hex(n), 24, '0'), ${since} + n * ${every}::bigint,
      case when n < 10 then 'team' when n % 100 = 0 then 'apikey' when n % 11 = 0 then 'dns_zone' else 'record' end,
      'resource' || n % (${count}::int / 10),
      'user' || who, 'name' || who, 'apikey', 'update', '192.0.2.1',
      case when n < 10 or n % 100 = 0 then '' else 'zone' || n % ${zones}::int || '.example' end,
      json_build_object('id', 'resource' || n % (${count}::int / 10), 'zone', 'zone' || n % ${zones}::int || '.example',
        'domain', 'www.zone' || n % ${zones}::int || '.example', 'type', 'A', 'ttl', 60, 'meta', '{}'::json,
        'answers', json_build_array(json_build_object('answer', json_build_array('192.0.2.1'), 'id', n::text))),
      '{"ttl":300}'
    from (select n, case when n < 10 then 99 when n % 2 = 0 then 0 else n % 20 end as who
      from generate_series(${first}::int, ${Math.min(count, first + entriesAtOnce) - 1}::int) as n) as given`.execute(
      db,
    );
  }
  await sql`analyze activity ${across("operator")}`.execute(db);
}

async function ask(api: ApiAccess, count: number, times: number): Promise<Row[]> {
  const one = await limitedKey(api, [7]);
  const some = await limitedKey(
    api,
    Array.from({ length: 50 }, (_, n) => n),
  );
  const now = Math.floor(Date.now() / 1000);
  const middle = now - (count * every) / 2;
  const queries: readonly (readonly [what: string, query: (n: number) => string, key?: string])[] = [
    ["newest 50", () => ""],
    ["newest 1,000", () => "limit=1000"],
    ["records", () => "resource_type=record"],
    ["keys, 1 in 100", () => "resource_type=apikey"],
    ["teams, the oldest ten", () => "resource_type=team"],
    ["a type that nothing has", () => "resource_type=none"],
    ["a user who writes half of all", () => "user=name0"],
    ["a user, by id", () => "user=user7"],
    ["a user with the oldest ten", () => "user=name99"],
    ["a resource", (n) => `resource_id=resource${(n * 37) % (count / 10)}`],
    ["a day in the middle", (n) => `start=${middle + n * 86_400}&end=${middle + (n + 1) * 86_400}`],
    ["a user on a day", (n) => `user=name7&start=${middle + n * 86_400}&end=${middle + (n + 1) * 86_400}`],
    ["a key that sees 1 zone of 1,000", () => "", one],
    ["that key, records only", () => "resource_type=record", one],
    ["that key, a user", () => "user=name7", one],
    ["a key that sees 50 zones of 1,000, records only", () => "resource_type=record", some],
  ];
  const rows: Row[] = [];
  for (const [what, query, key = api.key] of queries) {
    const client = await apiClient({ ...api, key });
    const took: number[] = [];
    for (let n = 0; n < times; n++) {
      const sent = performance.now();
      await client.call({ method: "GET", path: `account/activity?${query(n % 30)}` });
      took.push(performance.now() - sent);
    }
    client.close();
    rows.push(...delayRows("activity", what, took, expected));
  }
  return rows;
}

/** Exports all entries once in each format. */
async function report({ url, key }: ApiAccess): Promise<Row[]> {
  const rows: Row[] = [];
  const resident = () => process.memoryUsage.rss() / 1e6;
  const before = resident();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, resident())), 20);
  for (const format of formats) {
    const sent = performance.now();
    const reply = await fetch(`${url}/v1/account/activity?export=${format}`, { headers: { "X-SERVICE-Key": key } });
    let octets = 0;
    for await (const piece of reply.body ?? []) octets += piece.length;
    const common = { name: "activity", peers: {}, target: "" };
    rows.push({ ...common, measure: `all as ${format}`, unit: "s", ours: (performance.now() - sent) / 1000 });
    rows.push({ ...common, measure: `all as ${format}: size`, unit: "MB", ours: octets / 1e6 });
  }
  clearInterval(watch);
  const measure = "memory that the reports took";
  rows.push({
    name: "activity",
    measure,
    unit: "MB",
    ours: most - before,
    peers: {},
    ...atMost(most - before, mostGrown, "MB"),
  });
  return rows;
}

/** Creates a key that may view some of the zones; returns its string. */
async function limitedKey(api: ApiAccess, seen: readonly number[]): Promise<string> {
  const { call, close } = await apiClient(api);
  const dns = { zones_allow_by_default: false, zones_allow: seen.map((n) => `zone${n}.example`) };
  const body = { name: `${seen.length} zones`, permissions: { dns } };
  const made = JSON.parse(await call({ method: "PUT", path: "account/apikeys", body }));
  close();
  return made.key;
}
