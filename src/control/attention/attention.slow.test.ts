/** What needs attention: found after writes and in rounds, gone when it is mended, and shown to those who may see it. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { answerTo } from "../../../test/network/scripted-primary.ts";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";
import { secondaryZones } from "../../../test/service/secondary-zones.ts";
import { setQuota } from "../write/quota/store.ts";

const start = 1_900_000_000;
const clock = fakeClock(start * 1000);
const attentionPace = { change: 50, round: 200, share: 1 };
const api = await startApi({ clock, deletionGuard: 100, attentionPace });
const within = { timeout: 60_000, interval: 50 };
const day = 86_400;

const list = (by: Client = api, query = "") => by.must<Fields[]>("GET", `attention${query}`);
/** The items of a kind, once their number is right. */
async function items(kind: string, count: number, by: Client = api): Promise<Fields[]> {
  await expect.poll(async () => (await list(by, `?kind=${kind}`)).length, within).toBe(count);
  return await list(by, `?kind=${kind}`);
}
/** The items of zones with mistakes: a zone that was just looked through waits until the clock has gone on. */
async function mistakes(count: number, by: Client = api): Promise<Fields[]> {
  const next = async () => {
    clock.advance(11_000);
    return (await list(by, "?kind=lint")).length;
  };
  await expect.poll(next, within).toBe(count);
  return await list(by, "?kind=lint");
}
const putZone = (zone: string, by: Client = api) => by.must("PUT", `zones/${zone}`, {});
const putCname = (zone: string, label: string, target: string, by: Client = api) =>
  by.must("PUT", `zones/${zone}/${label}.${zone}/CNAME`, { ttl: 60, answers: [{ answer: [target] }] });

test("a zone with mistakes is listed soon after the write, and no more when they are mended", async () => {
  const zone = "lint.example";
  const { id } = await putZone(zone);
  await putCname(zone, "a", `gone.${zone}`);
  await putCname(zone, "b", `gone.${zone}`);
  const [item] = await mistakes(1);
  await expect
    .poll(async () => {
      clock.advance(11_000);
      return await list(api, "?kind=lint");
    }, within)
    .toEqual([
      {
        ...{ kind: "lint", severity: "warning", since: item!["since"], thing: { type: "zone", id, name: zone } },
        message: `The zone ${zone} has 2 probable mistakes (dangling_target).`,
        detail: { warnings: 2, codes: { dangling_target: 2 }, records: 3, complete: true },
      },
    ]);
  for (const label of ["a", "b"]) await api.must("DELETE", `zones/${zone}/${label}.${zone}/CNAME`);
  await mistakes(0);
});

test("a zone whose target is in another zone is looked through again after a day", async () => {
  await putZone("one.example");
  await putZone("other.example");
  await putCname("one.example", "www", "www.other.example");
  await mistakes(1);
  await api.must("PUT", "zones/other.example/www.other.example/A", { answers: [{ answer: ["192.0.2.1"] }] });
  clock.advance(2 * day * 1000);
  await mistakes(0);
});

test("a deleted zone is not listed", async () => {
  await putZone("short.example");
  await putCname("short.example", "www", "gone.short.example");
  await mistakes(1);
  await api.must("DELETE", "zones/short.example?confirm_deletions=true");
  await mistakes(0);
});

test("a feed is listed once it has been silent for longer than its values are valid", async () => {
  const { id: source } = await api.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const made = async (label: string, fields: Fields = {}) =>
    String((await api.must("PUT", `data/feeds/${source}`, { name: label, config: { label }, ...fields }))["id"]);
  const feed = await made("health", { max_age: 60 });
  await made("patient", { max_age: 1_000_000_000 });
  await made("careless");
  await api.must("POST", `feed/${feed}`, { up: true });
  const pushed_at = Math.floor(clock.now() / 1000);
  clock.advance(59_000);
  expect(await list(api, "?kind=feed_silent")).toEqual([]);
  clock.advance(1000);
  expect(await items("feed_silent", 1)).toMatchObject([
    {
      ...{ severity: "notice", since: pushed_at + 60, thing: { type: "feed", id: feed, name: "health" } },
      detail: { source, pushed_at, max_age: 60, steers: false },
    },
  ]);
  await putZone("steered.example");
  const answers = [{ answer: ["192.0.2.1"], meta: { up: { feed } } }];
  await api.must("PUT", "zones/steered.example/www.steered.example/A", { ttl: 60, answers });
  await expect.poll(() => list(api, "?kind=feed_silent"), within).toMatchObject([{ severity: "error" }]);
  await api.must("POST", `feed/${feed}`, { up: true });
  await items("feed_silent", 0);
});

test("a key is listed before it ends, and for a while afterwards, unless it has another secret", async () => {
  const made = await api.must("PUT", "account/apikeys", { name: "ending", expiry_duration: "20d" });
  await api.must("PUT", "account/apikeys", { name: "lasting" });
  const id = String(made["id"]);
  clock.advance(5 * day * 1000);
  expect(await list(api, "?kind=key_expiring")).toEqual([]);
  clock.advance(2 * day * 1000);
  expect(await items("key_expiring", 1)).toMatchObject([
    { severity: "warning", thing: { type: "key", id, name: "ending" }, message: expect.stringContaining("ends at") },
  ]);
  clock.advance(14 * day * 1000);
  expect(await items("key_expired", 1)).toMatchObject([{ severity: "notice", thing: { id } }]);
  expect(await list(api, "?kind=key_expiring")).toEqual([]);
  await api.must("POST", `account/apikeys/${id}/secrets`, { expiry_duration: "30d" });
  await items("key_expired", 0);
});

test("a limit is listed when it is nearly reached, by the percentages of the usage warnings", async () => {
  const client = await api.stranger();
  const { id } = await api.store.db
    .selectFrom("account")
    .select("id")
    .where("name", "=", "other")
    .orderBy("id", "desc")
    .executeTakeFirstOrThrow();
  await setQuota(api.store.db, id, { zones: 5, records: 1000, octets: null, kept: null });
  for (const n of [1, 2, 3]) await putZone(`limit${n}.example`, client);
  expect(await items("limit_near", 0, client)).toEqual([]);
  await putZone("limit4.example", client);
  expect(await items("limit_near", 1, client)).toMatchObject([
    {
      ...{ severity: "warning", thing: { type: "limit", id: "zones", name: "zones" } },
      detail: { used: 4, limit: 5, percent: 80 },
    },
  ]);
  await client.must("POST", "account/usagewarnings", { zones: { warning_1: 50, warning_2: 70 } });
  await expect.poll(() => list(client, "?kind=limit_near"), within).toMatchObject([{ severity: "error" }]);
  expect(await list(api, "?kind=limit_near")).toEqual([]);
});

test("a zone that cannot be transferred is listed with the reason, and a zone that becomes primary is not", async () => {
  // transfers follow the time
  const now = await startApi({ egressAllow: ["127.0.0.0/8"], attentionPace });
  const { transferredZone, refreshing } = secondaryZones(now);
  const { zone } = await transferredZone(() => ({ udp: (query) => answerTo(query, [], { rcode: 2 }) }));
  expect(await list(now)).toEqual([]);
  const listed = refreshing(zone, async () => await list(now));
  await expect.poll(listed, { timeout: 60_000, interval: 500 }).toMatchObject([
    {
      ...{ kind: "transfer_failing", severity: "warning", thing: { type: "zone", name: zone } },
      ...{
        message: expect.stringContaining("is answered until"),
        detail: { error: expect.stringContaining("SERVFAIL") },
      },
    },
  ]);
  await now.must("POST", `zones/${zone}`, { secondary: { enabled: false } });
  await items("transfer_failing", 0, now);
});

test("a caller sees the things that it may see, in pages, the worst first", async () => {
  for (const zone of ["p1.example", "p2.example"]) {
    await putZone(zone);
    await putCname(zone, "www", `gone.${zone}`);
  }
  await api.must("PUT", "account/apikeys", { name: "soon", expiry_duration: "3d" });
  await mistakes(2);
  await items("key_expiring", 1);
  const names = async (by: Client) => (await list(by)).map(({ thing }) => (thing as Fields)["name"]);
  const none = { view_zones: false, manage_zones: false };
  const noKeys = { manage_apikeys: false, manage_account_settings: false };
  const noData = { manage_datafeeds: false, manage_datasources: false };
  expect(await names(await api.limited({ dns: none, account: noKeys, data: noData }))).toEqual([]);
  const rest = { account: noKeys, data: noData };
  const one = { ...rest, dns: { view_zones: true, zones_allow_by_default: false, zones_allow: ["p1.example"] } };
  expect(await names(await api.limited(one))).toEqual(["p1.example"]);
  const rule = { type: "A", domain: "www.p2.example", zone: "p2.example", include_subdomains: false };
  const part = { ...rest, dns: { view_zones: true, records_deny: [rule] } };
  expect(await names(await api.limited(part))).toEqual(["p1.example"]);
  expect(await names(await api.stranger())).toEqual([]);
  const whole = await list();
  const found: unknown[] = [];
  for (let path: string | undefined = "attention?limit=1"; path; ) {
    const page = await api.call<Fields[]>("GET", path);
    found.push(...page.body);
    path = nextPath(page.headers);
  }
  expect(found).toEqual(whole);
  const ranks = whole.map(({ severity }) => ["error", "warning", "notice"].indexOf(String(severity)));
  expect(ranks).toEqual(ranks.toSorted());
});

test("an account that writes all the time does not keep others waiting", async () => {
  const [busy, other] = [await api.stranger(), await api.stranger()];
  for (let n = 0; n < 5; n++) await putZone(`busy${n}.example`, busy);
  let isOver = false;
  const writing = Promise.all(
    [0, 1, 2, 3, 4].map(async (n) => {
      for (let turn = 0; !isOver; turn++) {
        await putCname(`busy${n}.example`, `h${turn}`, `gone.busy${n}.example`, busy);
        clock.advance(1000);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }),
  );
  await putZone("calm.example", other);
  await putCname("calm.example", "www", "gone.calm.example", other);
  try {
    await mistakes(1, other);
  } finally {
    isOver = true;
    await writing;
  }
});
