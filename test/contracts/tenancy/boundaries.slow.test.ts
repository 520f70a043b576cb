/** Accounts share names, numbers and counters; none of them gives access to another account or reveals much. */
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { type Client, startApi } from "../../service/api.ts";
import { rowsOfAccount } from "./rows.ts";

const logged: string[] = [];
const log = pino({ level: "info" }, { write: (line: string) => logged.push(line) });
const api = await startApi({ log, deletionGuard: 100 });
const other = await api.stranger();
const accounts = await api.store.db.selectFrom("account").select(["id", "name"]).execute();
const firstId = accounts.find(({ name }) => name === "first")?.id ?? "";
const answers = [{ answer: ["192.0.2.1"] }];
const refusal = async (client: Client, method: string, path: string, body?: unknown) => {
  const answer = await client.call(method, path, body);
  return [answer.status, answer.body["message"]];
};

test("a push to another account's feed or source gets a 404, and a push without a key a 401", async () => {
  const source = await api.must("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
  const feed = await api.must("PUT", `data/feeds/${source["id"]}`, { name: "f", config: { label: "f" } });
  const before = await rowsOfAccount(api.store, firstId);
  for (const [id, body] of [
    [feed["id"], { up: false }],
    [source["id"], { f: { up: false } }],
  ] as const) {
    expect((await other.call("POST", `feed/${id}`, body)).status).toBe(404);
    expect((await api.client("").call("POST", `feed/${id}`, body)).status).toBe(401);
  }
  expect(await rowsOfAccount(api.store, firstId)).toBe(before);
});

describe("names of zones", async () => {
  await api.must("PUT", "zones/shop.example.com", {});
  await api.must("PUT", "zones/xn--bcher-kva.example", {});

  test("belong to one account, with the names below and above, in every spelling", async () => {
    for (const name of ["shop.example.com", "SHOP.Example.COM", "shop.example.com.", "sh%6fp.example.com"]) {
      expect([name, ...(await refusal(other, "PUT", `zones/${name}`, {}))]).toEqual([name, 400, "zone already exists"]);
    }
    for (const name of ["a.shop.example.com", "_acme.a.SHOP.example.com.", "x.xn--bcher-kva.example"]) {
      expect(await refusal(other, "PUT", `zones/${name}`, {})).toEqual([400, expect.stringContaining("is below")]);
    }
    expect(await refusal(other, "PUT", "zones/example.com", {})).toEqual([400, expect.stringContaining("is above")]);
    expect(await refusal(other, "PUT", "zones/b%C3%BCcher.example", {})).toEqual([400, expect.any(String)]);
    for (const suffix of ["com", "co.uk", "CO.UK."]) {
      expect((await other.call("PUT", `zones/${suffix}`, {})).status).toBe(400);
    }
    const file = "@ 60 SOA ns.example. hm.example. 1 2 3 4 5\n";
    expect((await other.call("PUT", "import/zonefile/a.shop.example.com", file)).status).toBe(400);
    const zones = [{ action: "create", zone: "a.shop.example.com" }];
    expect((await other.call("PUT", "changesets?dry_run=true", { zones })).status).toBe(400);
    expect((await other.call("GET", "zones")).text).not.toMatch(/shop|example\.com|xn--/);
  });

  test("remain reserved for their account for a while after a deletion", async () => {
    await api.must("PUT", "zones/gone.example.net", {});
    await api.must("DELETE", "zones/gone.example.net");
    for (const name of ["gone.example.net", "www.gone.example.net", "example.net"]) {
      expect((await other.call("PUT", `zones/${name}`, {})).status).toBe(400);
    }
    await api.must("POST", "deletedzones/gone.example.net/undelete");
    await api.must("DELETE", "zones/gone.example.net");
    expect((await other.call("POST", "deletedzones/gone.example.net/undelete")).status).toBe(404);
    await api.must("DELETE", "deletedzones/gone.example.net");
    await other.must("PUT", "zones/gone.example.net", {});
  });

  test("cannot be tried quickly: each refusal is logged, and after many, replies reveal nothing", async () => {
    const curious = await api.stranger();
    logged.length = 0;
    let refused = 0;
    for (;;) {
      const { status } = await curious.call("PUT", "zones/shop.example.com", {});
      if (status === 429) break;
      expect(status).toBe(400);
      refused++;
    }
    const lines = logged.filter((line) => line.includes("conflicts with another account's zone"));
    expect(refused).toBeGreaterThanOrEqual(100);
    expect(lines.length).toBeGreaterThanOrEqual(refused);
    expect(JSON.parse(lines[0]!)).toMatchObject({ zone: "shop.example.com", account_id: expect.any(String) });
    for (const name of ["shop.example.com", "free.example.org"]) {
      const answer = await curious.call("PUT", `zones/${name}`, {});
      expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
    }
    await other.must("PUT", "zones/free.example.org", {});
  });
});

describe("the stored state of requests and listings", async () => {
  for (const client of [api, other]) {
    const own = client === api ? "first" : "second";
    for (const n of [1, 2, 3]) await client.must("PUT", `zones/${own}${n}.example.info`, {});
  }

  test("a cursor of another account shows only the caller's own objects", async () => {
    const link = (await api.call("GET", "zones?limit=1")).headers.get("link") ?? "";
    const after = /after=([^&>]+)/.exec(link)?.[1];
    expect(after).toBeTruthy();
    const { text } = await other.call("GET", `zones?limit=2&after=${after}`);
    expect(text).not.toContain("first");
  });

  test("an ETag of another account matches nothing", async () => {
    const etag = (await api.call("GET", "zones/first1.example.info")).headers.get("etag") ?? "";
    const seen = await other.call("GET", "zones/first1.example.info", undefined, { "If-None-Match": etag });
    expect(seen.status).toBe(404);
    for (const zone of ["first1.example.info", "nobody1.example.info"]) {
      expect((await other.call("POST", `zones/${zone}`, { ttl: 7 }, { "If-Match": etag })).status).toBe(412);
    }
    const own = await other.call("POST", "zones/second1.example.info", { ttl: 7 }, { "If-Match": etag });
    expect(own.status).toBe(412);
  });

  test("an Idempotency-Key belongs to its caller: another account's request is carried out and gets its own reply", async () => {
    const header = { "Idempotency-Key": "the-same" };
    const send = (client: Client) =>
      client.call("PUT", "data/sources", { name: "once", sourcetype: "nsone_v1" }, header);
    const [first, second] = [await send(api), await send(other)];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get("idempotency-replayed")).toBeNull();
    expect(second.body["id"]).not.toBe(first.body["id"]);
    expect((await send(other)).body).toEqual(second.body);
  });

  test("numbers of versions refer to the caller's own zones", async () => {
    await api.must("PUT", "zones/first1.example.info/www.first1.example.info/A", { answers });
    const { id } = await api.must("PUT", "zones/first1.example.info/versions", {});
    for (const zone of ["first1.example.info", "second1.example.info"]) {
      const answer = await other.call("GET", `zones/${zone}/versions/${id}`);
      expect(answer.text).not.toContain("first1.example.info A");
      expect(answer.text).not.toContain("192.0.2.1");
    }
    expect((await other.call("POST", `zones/first1.example.info/versions/${id}/activate`)).status).toBe(404);
  });
});
