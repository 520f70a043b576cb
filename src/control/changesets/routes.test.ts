/** Change sets: many writes as one, with dry runs. */
import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi();
let zones = 0;
const fresh = () => `c${++zones}.example`;
const answers = (...addresses: string[]) => addresses.map((address) => ({ answer: [address] }));
const a = (action: string, domain: string, more: Fields = {}) => ({
  ...{ action, zone: domain.split(".").slice(-2).join("."), domain, type: "A" },
  ...(action === "delete" ? {} : { answers: answers("192.0.2.1") }),
  ...more,
});
const send = (body: Fields, query = "", client = api as Pick<typeof api, "call">) =>
  client.call<Fields>("PUT", `changesets${query}`, body);
const told = ({ status, body }: Answer) => [status, body["message"]];

/** Two zones with a record at www each. */
async function twoZones() {
  const [one, two] = [fresh(), fresh()];
  const records = [a("put", `www.${one}`), a("put", `www.${two}`)];
  await send({ zones: [one, two].map((zone) => ({ action: "create", zone })), records });
  return { one, two };
}

const exists = async (path: string) => (await api.call("GET", path)).status === 200;

test.for([{}, { zones: [] }, { zones: [], records: [] }])("an empty change set is refused: %j", async (body) => {
  const refusal = [400, "zones and records are both empty"];
  expect(told(await send(body))).toEqual(refusal);
  expect(told(await send(body, "?dry_run=true"))).toEqual(refusal);
});

test("zones and records are written together, as one revision", async () => {
  const { one, two } = await twoZones();
  const three = fresh();
  const answer = await send({
    zones: [
      { action: "create", zone: three, ttl: 9 },
      { action: "update", zone: one, ttl: 8 },
      { action: "delete", zone: two },
    ],
    records: [
      a("create", `new.${three}`),
      a("update", `www.${one}`, { ttl: 7, answers: undefined }),
      a("put", `put.${one}`),
      { ...a("put", three), type: "NS", answers: answers("ns.example.org") },
    ],
  });
  expect(answer.body).toMatchObject({
    id: answer.headers.get("x-fairlead-change"),
    dry_run: false,
    effect: null,
    zones: [
      { zone: one, change: "updated", put: 2, removed: 0 },
      { zone: two, change: "deleted" },
      { zone: three, change: "created", put: 2 },
    ],
  });
  const { serials } = await api.numbered(answer);
  expect(Object.keys(serials)).toHaveLength(3);
  expect(await api.must("GET", `zones/${one}`)).toMatchObject({ ttl: 8 });
  expect(await api.must("GET", `zones/${one}/www.${one}/A`)).toMatchObject({ ttl: 7, answers: answers("192.0.2.1") });
  expect(await exists(`zones/${two}`)).toBe(false);
  const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${three}`);
  expect(records.map(({ type, short_answers }) => [type, short_answers])).toEqual([
    ["NS", ["ns.example.org"]],
    ["A", ["192.0.2.1"]],
  ]);
  const [version] = await api.must<Fields[]>("GET", `zones/${three}/versions`);
  expect(version).toMatchObject({ action: "changeset create", added: 3, removed: 0 });
  const [entry] = await api.must<Fields[]>("GET", "account/activity?limit=1");
  expect(entry).toMatchObject({ resource_type: "changeset", resource: { zones: [{ zone: one }, {}, {}] } });
});

describe("a refusal names the field, and changes nothing", async () => {
  const { one, two } = await twoZones();
  const cases: readonly [what: string, body: Fields, message: string | RegExp][] = [
    [
      "an answer",
      { records: [a("put", `x.${one}`), a("put", `y.${one}`, { answers: answers("x") })] },
      /^records\[1\] y\.c\d+\.example A: answers\[0\]: A record/,
    ],
    ["an existing record", { records: [a("create", `www.${one}`)] }, /^records\[0\] .*: record already exists$/],
    ["a missing record", { records: [a("update", `no.${one}`)] }, /^records\[0\] no.*: record not found$/],
    ["an existing zone", { zones: [{ action: "create", zone: one }] }, `zones[0] ${one}: zone already exists`],
    ["a missing zone", { zones: [{ action: "update", zone: `no.${one}` }] }, /^zones\[0\] no.*: zone not found$/],
    ["a zone twice", { zones: [1, 2].map((ttl) => ({ action: "update", zone: one, ttl })) }, /named twice$/],
    ["a record twice", { records: [a("put", `x.${one}`), a("delete", `X.${one}`)] }, /named twice$/],
    ["a record without zone", { records: [a("put", "x.nowhere.test", { zone: "nowhere.test" })] }, /zone not found$/],
    [
      "a record in a zone that is deleted",
      { zones: [{ action: "delete", zone: one }], records: [a("put", `x.${one}`)] },
      /^records\[0\] .*zone not found$/,
    ],
    ["a field", { records: [a("put", `x.${one}`, { ttl: "x" })] }, /field "records\[0\]\.ttl"/],
    ["an action", { zones: [{ action: "drop", zone: one }] }, /field "zones\[0\]\.action"/],
  ];
  test.each(cases)("%s", async (_, body, message) => {
    const good = a("put", `good.${two}`);
    const answer = await send({ ...body, records: [...((body["records"] as Fields[]) ?? []), good] });
    expect(told(answer)).toEqual([
      expect.toSatisfy((status) => status === 400 || status === 404),
      typeof message === "string" ? message : expect.stringMatching(message),
    ]);
    expect(await exists(`zones/${two}/good.${two}/A`)).toBe(false);
    expect(await exists(`zones/${one}`)).toBe(true);
  });
});

test("each write needs the right to its zone and record", async () => {
  const { one, two } = await twoZones();
  const narrow = await api.limited({ dns: { zones_deny: [two], records_deny: [{ zone: one, domain: `www.${one}` }] } });
  const statuses = [];
  for (const body of [
    { records: [a("put", `x.${one}`)] },
    { records: [a("put", `x.${one}`, { ttl: 1 }), a("put", `x.${two}`)] },
    { records: [a("put", `www.${one}`)] },
    { zones: [{ action: "delete", zone: one }] },
    { zones: [{ action: "update", zone: two, ttl: 1 }] },
  ]) {
    statuses.push((await send(body, "", narrow)).status);
  }
  expect(statuses).toEqual([200, 403, 403, 403, 403]);
  expect((await send({ records: [a("put", `x.${one}`)] }, "", await api.stranger())).status).toBe(404);
});

test("a change set without effect is not a change", async () => {
  const { one } = await twoZones();
  const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${one}?expand=true`);
  const answer = await send({ records: records.map((record) => ({ action: "put", ...record })) });
  expect([answer.body["id"], answer.headers.get("x-fairlead-change")]).toEqual([null, null]);
});

test("a repeated request is carried out once", async () => {
  const zone = fresh();
  const headers = { "Idempotency-Key": zone };
  const [first, again] = [1, 2].map(() =>
    api.call("PUT", "changesets", { zones: [{ action: "create", zone }] }, headers),
  );
  expect([(await first!).status, (await again!).text]).toEqual([200, (await first!).text]);
});

describe("a dry run", () => {
  const up = (country: string) => ({ country: [country] });
  const steered = (domain: string, first: string) =>
    a("put", domain, {
      answers: [
        { answer: [first], meta: up("DE") },
        { answer: ["192.0.2.9"], meta: {} },
      ],
      filters: [
        { filter: "geofence_country", config: { remove_no_location: true } },
        { filter: "select_first_n", config: { N: 1 } },
      ],
    });

  test("changes nothing, and shows the effect", async () => {
    const { one, two } = await twoZones();
    await api.numbered(await send({ records: [steered(`geo.${one}`, "192.0.2.1")] }));
    const before = await api.must("GET", `zones/${one}?expand=true`);
    const three = fresh();
    const answer = await send(
      {
        zones: [
          { action: "create", zone: three },
          { action: "update", zone: one, ttl: 5 },
          { action: "delete", zone: two },
        ],
        records: [
          steered(`geo.${one}`, "192.0.2.2"),
          a("delete", `www.${one}`),
          { ...a("put", `alias.${three}`), type: "CNAME", answers: answers(`nothing.${three}`) },
        ],
      },
      "?dry_run=true",
    );
    expect([answer.status, answer.headers.get("x-fairlead-change"), answer.body["id"]]).toEqual([200, null, null]);
    const { zones, cells, warnings, complete } = answer.body["effect"] as Record<string, Fields[]>;
    expect(zones).toMatchObject([
      {
        zone: one,
        settings: { before: { ttl: 3600 }, after: { ttl: 5 } },
        records: [
          { domain: `geo.${one}`, before: { answers: [{ answer: ["192.0.2.1"] }, {}] }, after: {} },
          { domain: `www.${one}`, after: null },
        ],
      },
      { zone: two, settings: { after: null } },
      { zone: three, settings: { before: null }, records: [{ type: "CNAME" }, { type: "NS" }] },
    ]);
    expect(cells).toEqual([
      { domain: `geo.${one}`, type: "A", country: "DE", answer: ["192.0.2.1"], before: 1, after: 0 },
      { domain: `geo.${one}`, type: "A", country: "DE", answer: ["192.0.2.2"], before: 0, after: 1 },
    ]);
    expect(warnings!.map(({ code, domain }) => `${code} ${domain}`)).toEqual([`dangling_target alias.${three}`]);
    expect(complete).toBe(true);
    expect(await api.must("GET", `zones/${one}?expand=true`)).toEqual(before);
    expect([await exists(`zones/${two}`), await exists(`zones/${three}`)]).toEqual([true, false]);
    const entries = await api.must<Fields[]>("GET", "account/activity?limit=1");
    expect(entries).toMatchObject([{ resource: { zones: [{ zone: one, change: "records" }] } }]);
  });

  test("is refused like the change set itself", async () => {
    expect((await send({ records: [a("put", "x.nowhere.test")] }, "?dry_run=true")).status).toBe(404);
  });
});

describe("whether a change set is live", () => {
  const follower = (id: string, revision: number, seen_at: number) =>
    api.store.db
      .insertInto("follower")
      .values({ id, revision, seen_at })
      .onConflict((conflict) => conflict.column("id").doUpdateSet({ revision, seen_at }))
      .execute();

  test("depends on every edge that is not away", async () => {
    const answer = await send({ zones: [{ action: "create", zone: fresh() }] });
    const { revision } = await api.numbered(answer);
    const now = Math.floor(Date.now() / 1000);
    const path = `changesets/${answer.body["id"]}`;
    expect(await api.must("GET", path)).toEqual({ id: answer.body["id"], revision, live: false, edges: [] });
    await follower("one", revision, now);
    await follower("two", revision - 1, now);
    expect(await api.must("GET", path)).toMatchObject({
      live: false,
      edges: [
        { id: "one", applied: true },
        { id: "two", applied: false, away: false },
      ],
    });
    await follower("two", revision + 3, now);
    expect(await api.must("GET", path)).toMatchObject({ live: true });
    expect((await (await api.stranger()).call("GET", path)).status).toBe(404);
  });
});

test("only the first account is told revisions, which count the changes of all accounts, and the names of edges", async () => {
  const stranger = await api.stranger();
  const id = (await stranger.call("PUT", `zones/${fresh()}`, {})).headers.get("x-fairlead-change");
  const own = (await api.call("PUT", `zones/${fresh()}`, {})).headers.get("x-fairlead-change");
  await api.store.db.insertInto("follower").values({ id: "host-of-an-edge", revision: 0, seen_at: 4e9 }).execute();
  await expect.poll(async () => (await stranger.must("GET", `changes/${id}`))["numbered"]).toBe(true);
  expect(await stranger.must("GET", `changes/${id}`)).toMatchObject({ revision: null });
  expect(await stranger.must("GET", `changesets/${id}`)).toEqual({ id, revision: null, live: false, edges: [] });
  const { edges } = await api.must<{ edges: unknown }>("GET", `changesets/${own}`);
  expect(edges).toContainEqual(expect.objectContaining({ id: "host-of-an-edge" }));
});

test("a change shows the serials of zones that the caller may see", async () => {
  const [open, closed] = ["seen.example", "unseen.example"];
  for (const zone of [open, closed]) await api.must("PUT", `zones/${zone}`, {});
  const key = await api.limited({ dns: { view_zones: true, zones_allow_by_default: false, zones_allow: [open] } });
  const { id } = await api.must<{ id: string }>("GET", `zones/${open}`);
  const body = { zones: [open, closed].map((zone) => ({ action: "update", zone, ttl: 99 })) };
  const change = await api.must("PUT", "changesets", body);
  const serialsFor = async (by: Client) =>
    Object.keys((await by.must<{ serials: Fields }>("GET", `changes/${change["id"]}`)).serials);
  await expect.poll(async () => (await serialsFor(api)).length).toBe(2);
  expect(await serialsFor(key)).toEqual([id]);
});
