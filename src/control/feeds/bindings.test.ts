/** Metadata that takes values from feeds: the feeds that a record may name, and the destinations that feeds show. */
import { describe, expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";
import { newId } from "../../lib/ids.ts";

const api = await startApi();
const zone = "example.com";
await api.must("PUT", `zones/${zone}`, { zone });

type Record = Fields & { id: string; answers: (Fields & { id: string })[] };

async function feed(by = api): Promise<{ source: string; feed: string }> {
  const { id: source } = await by.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const { id } = await by.must("PUT", `data/feeds/${source}`, { name: "f", config: { label: "l" } });
  return { source: String(source), feed: String(id) };
}

const destinations = async ({ source, feed: id }: { source: string; feed: string }) =>
  (await api.must("GET", `data/feeds/${source}/${id}`))["destinations"];
const pathOf = (name: string) => `zones/${zone}/${name}.${zone}/A`;
const put = (name: string, body: Fields) => api.must<Record>("PUT", pathOf(name), { answers: [], ...body });

test("an answer, a region and the record itself are destinations of the feeds that they name", async () => {
  const [one, two] = [await feed(), await feed()];
  const record = await put("all", {
    answers: [
      { answer: ["192.0.2.1"], meta: { up: { feed: one.feed }, weight: { feed: one.feed }, priority: 1 } },
      { answer: ["192.0.2.2"], meta: { up: true }, region: "eu" },
    ],
    regions: { eu: { meta: { up: { feed: one.feed } } } },
    meta: { up: { feed: two.feed } },
  });
  expect(record.answers[0]).toEqual({
    answer: ["192.0.2.1"],
    id: expect.any(String),
    meta: { up: { feed: one.feed }, weight: { feed: one.feed }, priority: 1 },
    feeds: [one],
  });
  expect(record.answers[1]).not.toHaveProperty("feeds");
  expect(record["feeds"]).toEqual([one, two]);
  expect(await destinations(one)).toEqual([
    { destid: record.answers[0]!.id, desttype: "answer", record: record.id },
    { destid: "eu", desttype: "region", record: record.id },
  ]);
  expect(await destinations(two)).toEqual([{ destid: record.id, desttype: "record", record: record.id }]);
  const [source] = (await api.must<Fields[]>("GET", "data/sources")).filter(({ id }) => id === two.source);
  expect(source).toMatchObject({ feeds: [{ destinations: [{ desttype: "record" }] }] });
});

test("a record sent back unchanged changes nothing", async () => {
  const one = await feed();
  const record = await put("echo", { answers: [{ answer: ["192.0.2.1"], meta: { up: { feed: one.feed } } }] });
  const answer = await api.call("POST", pathOf("echo"), record);
  expect(answer.body).toEqual(record);
  expect(answer.headers.get("x-fairlead-change")).toBeNull();
  expect(await api.must("GET", pathOf("echo"))).toEqual(record);
});

test("destinations follow the record through changes", async () => {
  const [one, two] = [await feed(), await feed()];
  const record = await put("moving", { answers: [{ answer: ["192.0.2.1"], meta: { up: { feed: one.feed } } }] });
  const [answer] = record.answers;
  await api.must("POST", pathOf("moving"), { answers: [{ ...answer, meta: { up: { feed: two.feed } } }] });
  expect(await destinations(one)).toEqual([]);
  expect(await destinations(two)).toEqual([{ destid: answer!.id, desttype: "answer", record: record.id }]);
  await api.must("POST", `${pathOf("moving")}/answers`, {
    add: [{ answer: ["192.0.2.2"], meta: { up: { feed: one.feed } } }],
    remove: [{ id: answer!.id }],
  });
  expect(await destinations(one)).toMatchObject([{ desttype: "answer" }]);
  expect(await destinations(two)).toEqual([]);
  await api.must("DELETE", pathOf("moving"));
  expect(await destinations(one)).toEqual([]);
});

test("destinations follow bulk writes, and are removed with the zone", async () => {
  const one = await feed();
  const name = "bulk.example";
  await api.must("PUT", `zones/${name}`, { zone: name });
  const record = (label: string) => ({ domain: `${label}.${name}`, type: "A", meta: { up: { feed: one.feed } } });
  await api.must("POST", `zones/${name}/records`, { put: [record("a"), record("b"), record("c")] });
  expect(await destinations(one)).toHaveLength(3);
  const [a, b] = [record("a"), { ...record("b"), meta: null }];
  await api.must("POST", `zones/${name}/records`, { put: [b], remove: [{ domain: a.domain, type: "A" }] });
  expect(await destinations(one)).toHaveLength(1);
  await api.must("DELETE", `zones/${name}`);
  expect(await destinations(one)).toEqual([]);
});

describe("a feed in metadata", async () => {
  const foreign = await feed(Object.assign({}, api, await api.stranger()));
  const own = await feed();
  const unknown = "0".repeat(24);
  for (const [which, id] of [
    ["that does not exist", unknown],
    ["of another account", foreign.feed],
    ["whose id is the name of a method", "toString"],
  ]) {
    test(`${which} is refused with the field's name and the feed's id, and nothing is stored`, async () => {
      const up = { feed: id };
      const answer = { answer: ["192.0.2.1"], meta: { up: { feed: own.feed } } };
      for (const [field, body] of [
        ["answers[1].meta.up", { answers: [answer, { ...answer, meta: { up } }] }],
        ["regions.eu.meta.up", { answers: [answer], regions: { eu: { meta: { up } } } }],
        ["meta.up", { answers: [answer], meta: { up } }],
      ] as const) {
        const refused = await api.call("PUT", pathOf(newId()), body);
        expect([refused.status, refused.body["message"]]).toEqual([400, `${field}: there is no feed "${id}"`]);
      }
      expect(await destinations(own)).toEqual([]);
    });
  }

  test("is refused in a zone's own metadata", async () => {
    const refused = await api.call("POST", `zones/${zone}`, { meta: { up: { feed: own.feed } } });
    expect(refused.status).toBe(400);
  });
});

test("a feed in use can be deleted: the record stays unchanged and can be sent back", async () => {
  const [one, two] = [await feed(), await feed()];
  const meta = { up: { feed: one.feed }, weight: { feed: two.feed } };
  const record = await put("dangling", { answers: [{ answer: ["192.0.2.1"], meta }] });
  await api.must("DELETE", `data/feeds/${one.source}/${one.feed}`);
  expect(await api.must("GET", pathOf("dangling"))).toEqual(record);
  expect(await api.must("POST", pathOf("dangling"), record)).toEqual(record);
  const changed = await api.must<Record>("POST", pathOf("dangling"), { ...record, ttl: 5 });
  expect(changed.answers[0]).toMatchObject({ meta, feeds: [two] });
  expect(await destinations(two)).toHaveLength(1);
  expect((await api.call("PUT", pathOf("another"), { answers: record.answers })).status).toBe(400);
});
