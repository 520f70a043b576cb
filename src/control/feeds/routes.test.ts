/** Data sources and feeds over HTTP: bodies, messages, rights, round trips. */

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";
import { newId } from "../../lib/ids.ts";
import { limits } from "../kit/limits.ts";

const api = await startApi();

type Source = Fields & { id: string; feeds: Fields[] };
type Feed = Fields & { id: string };

const source = (fields: Fields = {}, by: Client = api) =>
  by.must<Source>("PUT", "data/sources/", { name: newId(), sourcetype: "nsone_v1", ...fields });
const feed = (of: Source, fields: Fields = {}, by: Client = api) =>
  by.must<Feed>("PUT", `data/feeds/${of.id}`, { name: "feed", config: { label: "Feed01" }, ...fields });
const actions = async (id: string) =>
  (await api.must<Fields[]>("GET", `account/activity?resource_id=${id}`)).map(
    (entry) => `${entry["resource_type"]} ${entry["action"]}`,
  );

describe("a data source", () => {
  test("is created with the fields of the body, and its status is ok at once", async () => {
    const made = await api.call("PUT", "data/sources", { name: "my source", sourcetype: "nsone_v1", config: {} });
    expect(made.text).toBe(
      `{"status":"ok","name":"my source","feeds":[],"config":{},"id":"${made.body["id"]}","sourcetype":"nsone_v1"}\n`,
    );
    expect(made.body["id"]).toMatch(/^[0-9a-f]{32}$/);
    expect(await actions(String(made.body["id"]))).toEqual(["datasource create"]);
  });

  test("keeps its configuration as sent", async () => {
    const config = { zebra: 1, apple: "1", nested: { on: true } };
    const made = await source({ config });
    const read = await api.call("GET", `data/sources/${made.id}`);
    expect(read.text).toContain(`"config":${JSON.stringify(config)}`);
    expect(await source()).toMatchObject({ config: {} });
  });

  test("is listed with its feeds", async () => {
    const made = await source();
    const one = await feed(made);
    const expected = { ...made, feeds: [one] };
    expect(await api.must("GET", `data/sources/${made.id}/`)).toEqual(expected);
    expect(await api.must<Fields[]>("GET", "data/sources")).toContainEqual(expected);
    for (const strange of ["1.5/x", "1e99/x", "nobody"]) {
      const { status, text } = await api.call("GET", `data/sources?limit=1&after=${encodeURIComponent(strange)}`);
      expect(text).toMatch(/^\[/);
      expect(status).toBe(200);
    }
  });

  test("can be changed in part, and does not change when sent back unchanged", async () => {
    const made = await source({ config: { a: 1 } });
    await feed(made);
    const read = await api.must("GET", `data/sources/${made.id}`);
    expect(await api.must("POST", `data/sources/${made.id}`, read)).toEqual(read);
    expect(await actions(made.id)).toEqual(["datasource create"]);
    expect(await api.must("POST", `data/sources/${made.id}`, { name: "other" })).toEqual({ ...read, name: "other" });
    expect(await actions(made.id)).toEqual(["datasource update", "datasource create"]);
    const other = await api.call("POST", `data/sources/${made.id}`, { sourcetype: "cloudwatch" });
    expect([other.status, other.body["message"]]).toEqual([400, 'sourcetype cannot be changed from "nsone_v1"']);
  });

  test("is deleted with its feeds", async () => {
    const made = await source();
    const one = await feed(made);
    expect((await api.call("DELETE", `data/sources/${made.id}`)).text).toBe("{}\n");
    expect((await api.call("GET", `data/feeds/${made.id}/${one.id}`)).body["message"]).toBe("source not found");
    expect((await api.call("POST", `feed/${one.id}`, { up: true })).status).toBe(404);
    expect(await actions(made.id)).toEqual(["datasource delete", "datasource create"]);
  });

  test("with an unsupported type is refused with the type's name", async () => {
    const refused = await api.call("PUT", "data/sources", { name: "m", sourcetype: "nsone_monitoring" });
    expect([refused.status, refused.body["code"]]).toEqual([400, "not_built"]);
    expect(refused.body["message"]).toContain('"nsone_monitoring"');
    const misspelt = await api.call("PUT", "data/sources", { name: "m", sourcetype: "nsone_v2" });
    expect([misspelt.status, misspelt.body["code"]]).toEqual([400, "invalid"]);
  });

  test("is created once by a repeated request", async () => {
    const headers = { "Idempotency-Key": newId() };
    const body = { name: "once", sourcetype: "nsone_v1" };
    const one = await api.call("PUT", "data/sources", body, headers);
    expect((await api.call("PUT", "data/sources", body, headers)).body).toEqual(one.body);
  });
});

describe("a feed", () => {
  test("is created with the fields of the body", async () => {
    const of = await source();
    const made = await api.call("PUT", `data/feeds/${of.id}/`, { name: "f", config: { label: "L", more: 1 } });
    expect(made.text).toBe(
      `{"name":"f","data":{},"id":"${made.body["id"]}","config":{"label":"L","more":1},"networks":[],"destinations":[],"pushed_at":null,"max_age":null,"fallback":null}\n`,
    );
    expect(made.body["id"]).toMatch(/^[0-9a-f]{24}$/);
    expect(await api.must("GET", `data/feeds/${of.id}`)).toEqual([made.body]);
    expect(await api.must("GET", `data/feeds/${of.id}/${made.body["id"]}/`)).toEqual(made.body);
    expect(await actions(String(made.body["id"]))).toEqual(["datafeed create"]);
  });

  test("can be changed in part; data and destinations in a body are ignored", async () => {
    const of = await source();
    const made = await feed(of, { max_age: 60, fallback: { up: false } });
    const path = `data/feeds/${of.id}/${made.id}`;
    await api.must("POST", `feed/${of.id}`, { up: true });
    const read = await api.must<Fields>("GET", path);
    const echoed = { ...read, data: { up: 0 }, destinations: [{}] };
    expect(await api.must("POST", path, echoed)).toEqual(read);
    expect(await actions(made.id)).toEqual(["datafeed create"]);
    expect(await api.must("POST", path, { name: "n", config: { label: "other" } })).toEqual({
      ...read,
      name: "n",
      config: { label: "other" },
    });
    expect(await api.must("POST", path, { max_age: null, fallback: null })).toMatchObject({
      max_age: null,
      fallback: null,
      data: { up: true },
    });
  });

  test("is deleted", async () => {
    const of = await source();
    const made = await feed(of);
    expect((await api.call("DELETE", `data/feeds/${of.id}/${made.id}`)).text).toBe("{}\n");
    expect((await api.call("DELETE", `data/feeds/${of.id}/${made.id}`)).body["message"]).toBe("feed not found");
    expect(await actions(made.id)).toEqual(["datafeed delete", "datafeed create"]);
  });

  test("is checked field by field", async () => {
    const of = await source();
    const cases: [body: Fields, message: string][] = [
      [{ name: "f" }, "config.label is required"],
      [{ name: "f", config: { label: 1 } }, "config.label must be text"],
      [{ config: { label: "L" } }, '"name" is required'],
      [{ name: "", config: { label: "L" } }, '"name"'],
      [{ name: "f", config: { label: "L" }, max_age: 0 }, '"max_age"'],
      [{ name: "f", config: { label: "L" }, fallback: { up: "down" } }, "fallback.up must be true or false"],
      [{ name: "f", config: { label: "L" }, fallback: { up: { feed: "x" } } }, "fallback.up must be true or false"],
    ];
    for (const [body, message] of cases) {
      const answer = await api.call("PUT", `data/feeds/${of.id}`, body);
      expect([answer.status, answer.body["message"]]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await api.must("GET", `data/feeds/${of.id}`)).toEqual([]);
  });

  test("is changed only if If-Match names its current state", async () => {
    const of = await source();
    const made = await feed(of);
    const path = `data/feeds/${of.id}/${made.id}`;
    const { headers } = await api.call("GET", path);
    const condition = { "If-Match": headers.get("etag") ?? "" };
    expect((await api.call("POST", path, { name: "one" }, condition)).status).toBe(200);
    expect((await api.call("POST", path, { name: "two" }, condition)).status).toBe(412);
  });
});

describe("an unknown source or feed is a 404", async () => {
  const mine = await source();
  const own = await feed(mine);
  const stranger = await api.stranger();
  const none = "0".repeat(32);
  const cases: [who: Client, method: string, path: string, message: string][] = [
    ...([api, stranger] as const).flatMap((who): [Client, string, string, string][] => {
      const id = who === api ? none : mine.id;
      return [
        [who, "GET", `data/sources/${id}`, "source not found"],
        [who, "POST", `data/sources/${id}`, "source not found"],
        [who, "DELETE", `data/sources/${id}`, "source not found"],
        [who, "GET", `data/feeds/${id}`, "source not found"],
        [who, "PUT", `data/feeds/${id}`, "source not found"],
        [who, "GET", `data/feeds/${id}/${own.id}`, "source not found"],
        [who, "POST", `data/feeds/${id}/${own.id}`, "source not found"],
        [who, "DELETE", `data/feeds/${id}/${own.id}`, "source not found"],
        [who, "POST", `feed/${id}`, "source not found"],
      ];
    }),
    [stranger, "POST", `feed/${own.id}`, "feed not found"],
    [api, "GET", `data/feeds/${mine.id}/${"0".repeat(24)}`, "feed not found"],
    [api, "POST", "feed/nonsense", "feed not found"],
  ];
  for (const [who, method, path, message] of cases) {
    test(`${method} ${path.replace(/[1-9a-f][0-9a-f]+/g, "ID")} ${who === api ? "that does not exist" : "that belongs to another account"}`, async () => {
      const body = method === "PUT" ? { name: "f", config: { label: "L" } } : method === "POST" ? {} : undefined;
      const answer = await who.call(method, path, body);
      expect([answer.status, answer.body["message"]]).toEqual([404, message]);
    });
  }
});

describe("rights", async () => {
  const of = await source();
  const one = await feed(of);
  const all = ["manage_datasources", "manage_datafeeds", "push_to_datafeeds"];
  const only = (right: string) => api.limited({ data: Object.fromEntries(all.map((name) => [name, name === right])) });
  const requests: [method: string, path: string, body: Fields | undefined, rights: string[]][] = [
    ["GET", "data/sourcetypes", undefined, all],
    ["GET", "data/sources", undefined, all.slice(0, 2)],
    ["GET", `data/sources/${of.id}`, undefined, all.slice(0, 2)],
    ["GET", `data/feeds/${of.id}`, undefined, all.slice(0, 2)],
    ["GET", `data/feeds/${of.id}/${one.id}`, undefined, all.slice(0, 2)],
    ["PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" }, ["manage_datasources"]],
    ["POST", `data/sources/${of.id}`, {}, ["manage_datasources"]],
    ["PUT", `data/feeds/${of.id}`, { name: "s", config: { label: "L" } }, ["manage_datafeeds"]],
    ["POST", `data/feeds/${of.id}/${one.id}`, {}, ["manage_datafeeds"]],
    ["POST", `feed/${of.id}`, { up: true }, ["push_to_datafeeds"]],
  ];
  for (const right of all) {
    test(`${right} alone allows only its requests`, async () => {
      const client = await only(right);
      for (const [method, path, body, rights] of requests) {
        const { status } = await client.call(method, path, body);
        expect(`${method} ${path} ${status}`).toBe(`${method} ${path} ${rights.includes(right) ? 200 : 403}`);
      }
    });
  }
  test("an invalid key is a 401", async () =>
    expect((await api.client("wrong").call("POST", `feed/${of.id}`, {})).status).toBe(401));
});

test("source types are listed with the fields of their configuration", async () => {
  expect(await api.must("GET", "data/sourcetypes")).toMatchObject({
    nsone_v1: {
      config: {},
      feed_config: {
        label: { required: true, default: null, validator: "text", type: "text", shortdesc: "Label" },
      },
      compatible_meta: expect.arrayContaining(["up", "weight"]),
    },
  });
});

test("an account has limited numbers of sources and feeds, and lists sources in pages", async () => {
  const own = await api.stranger();
  const body = { name: "first", sourcetype: "nsone_v1" };
  const { id } = await own.must<Fields>("PUT", "data/sources", body);
  const copies = (most: number) =>
    sql`insert into source (account_id, id, name, sourcetype, config, status, version, created_at)
    select account_id, md5(id || i), 'copy ' || i, sourcetype, config, status, version, created_at
    from source, generate_series(1, ${most}::integer) as i where id = ${id}`.execute(api.store.db);
  await copies(limits.sources - 2);
  await own.must("PUT", "data/sources", { ...body, name: "last" });
  const refused = (most: string) => ({ status: 400, body: { message: expect.stringContaining(most) } });
  expect(await own.call("PUT", "data/sources", body)).toMatchObject(refused("at most 1000 data sources"));
  expect(await own.must<Fields[]>("GET", "data/sources")).toHaveLength(limits.sources);
  await own.must("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } });
  await sql`insert into feed (account_id, id, source_id, name, label, config, data, created_at, named)
    select account_id, left(md5(id || i), 24), source_id, 'copy', label, config, data, created_at, named
    from feed, generate_series(1, ${limits.feeds - 1}::integer) as i where source_id = ${id}`.execute(api.store.db);
  const feed = { name: "g", config: { label: "g" } };
  expect(await own.call("PUT", `data/feeds/${id}`, feed)).toMatchObject(refused("at most 10000 feeds"));
});

test("the configurations of sources and feeds are bounded, and a page of sources by the octets of their feeds", async () => {
  const own = await api.stranger();
  const config = { note: "x".repeat(4096) };
  const body = { name: "large", sourcetype: "nsone_v1" };
  const refused = { status: 400, body: { message: expect.stringContaining("config is larger than 4096 octets") } };
  expect(await own.call("PUT", "data/sources", { ...body, config })).toMatchObject(refused);
  const ids: unknown[] = [];
  for (let i = 0; i < 3; i++) ids.push((await own.must<Fields>("PUT", "data/sources", body))["id"]);
  expect(await own.call("POST", `data/sources/${ids[0]}`, { config })).toMatchObject(refused);
  expect(await own.call("PUT", `data/feeds/${ids[0]}`, { name: "f", config: { label: "f", ...config } })).toMatchObject(
    refused,
  );
  for (const [i, id] of ids.entries()) {
    await sql`update source set created_at = ${i + 1} where id = ${id}`.execute(api.store.db);
  }
  for (const id of ids.slice(0, 2)) {
    const made = await own.must<Fields>("PUT", `data/feeds/${id}`, { name: "f", config: { label: "f" } });
    await sql`update feed set fallback = json_build_object('note', repeat('x', 9000000)) where id = ${made["id"]}`.execute(
      api.store.db,
    );
  }
  const first = await own.call<Fields[]>("GET", "data/sources");
  const second = await own.call<Fields[]>("GET", nextPath(first.headers)!);
  const shown = [first, second].map(({ text }) => (JSON.parse(text) as Fields[]).map(({ id }) => id));
  expect(shown).toEqual([ids.slice(0, 1), ids.slice(1)]);
  expect(nextPath(second.headers)).toBeUndefined();
});
