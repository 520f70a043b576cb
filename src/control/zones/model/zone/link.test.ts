/** Linked zones over HTTP: created, shown, explained, exported, and closed to writes. */
import { describe, expect, test } from "vitest";
import { type Answer, type Fields, startApi } from "../../../../../test/service/api.ts";
import { nextPath } from "../../../../../test/service/client.ts";

const api = await startApi();
const target = "target.example";
await api.must("PUT", `zones/${target}`, { hostmaster: "admin@target.example" });
await api.must("PUT", `zones/${target}/www.${target}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
await api.must("PUT", `zones/${target}/alias.${target}/CNAME`, { answers: [{ answer: [`www.${target}`] }] });

let count = 0;
const fresh = () => `link${++count}.example`;
const make = (zone = fresh(), body: Fields = {}) => api.must("PUT", `zones/${zone}`, { link: target, ...body });
const message = async (method: string, path: string, body?: Fields) => {
  const { status, body: reply } = await api.call(method, path, body);
  return [status, reply["message"]];
};

test("a linked zone is shown with its link, and with the records of its target under its own names", async () => {
  const zone = fresh();
  const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${target}`);
  const named = records.map((record) => ({ ...record, zone, domain: String(record["domain"]).replace(target, zone) }));
  const shown = { zone, link: target, networks: [0], dns_servers: ["dns1.example.net", "dns2.example.net"] };
  const made = await api.call("PUT", `zones/${zone}`, { link: target });
  expect(made.body).toMatchObject({ ...shown, records: named });
  const read = await api.call("GET", `zones/${zone}`);
  expect(read.body).toMatchObject({ ...shown, records: named });
  expect([made.headers.get("x-total-count"), read.headers.get("x-total-count")]).toEqual(["3", "3"]);
  const [entry] = await api.must<{ resource: Fields }[]>("GET", `account/activity?resource_id=${made.body["id"]}`);
  expect(entry?.resource["zone"]).toBe(zone);
  expect(entry?.resource["records"]).toBeUndefined();
});

describe("the records of a linked zone", () => {
  test("come in pages, with the whole records if asked", async () => {
    const zone = fresh();
    await make(zone);
    const seen: string[] = [];
    for (let path: string | undefined = `zones/${zone}?limit=1&expand=true`; path; ) {
      const page: Answer<{ records: Fields[] }> = await api.call("GET", path);
      expect(page.headers.get("x-total-count")).toBe("3");
      for (const { domain, type, answers } of page.body.records)
        seen.push(`${domain} ${type} ${JSON.stringify(answers)}`);
      path = nextPath(page.headers);
    }
    expect(seen.map((text) => text.split(" ").slice(0, 2).join(" ")).toSorted()).toEqual(
      [`${zone} NS`, `alias.${zone} CNAME`, `www.${zone} A`].toSorted(),
    );
    expect(seen.join()).toContain(`["www.${target}"]`);
  });

  test("are found one by one, with the ids of the target's", async () => {
    const zone = fresh();
    await make(zone);
    const there = await api.must("GET", `zones/${target}/www.${target}/A`);
    const here = await api.must("GET", `zones/${zone}/WWW.${zone}/A`);
    expect(here).toEqual({ ...there, zone, domain: `www.${zone}` });
    expect(await message("GET", `zones/${zone}/none.${zone}/A`)).toEqual([404, "record not found"]);
  });

  test("are left out if the key may not see them in the target, or under the linked name", async () => {
    const zone = fresh();
    await make(zone);
    const view = { view_zones: true, zones_allow_by_default: true };
    const names = async (dns: Fields) => {
      const key = await api.limited({ dns: { ...view, ...dns } });
      const { body, headers } = await key.call<{ records: Fields[] }>("GET", `zones/${zone}`);
      const { text } = await key.call("GET", `export/zonefile/${zone}`);
      const preview = await key.must<Fields[]>("GET", `zones/${zone}/transfer`);
      const shown = body.records.map(({ type }) => type).toSorted();
      expect(preview.map(({ type }) => type).toSorted()).toEqual(shown);
      for (const type of ["NS", "CNAME", "A"]) expect(text.includes(`\tIN\t${type}\t`)).toBe(shown.includes(type));
      expect(headers.get("x-total-count")).toBe(shown.length === 3 ? "3" : null);
      return [shown, (await key.call("GET", `zones/${zone}/www.${zone}/A`)).status];
    };
    expect(await names({})).toEqual([["A", "CNAME", "NS"], 200]);
    expect(await names({ zones_deny: [target] })).toEqual([[], 403]);
    expect(await names({ records_deny: [{ zone: target, domain: `www.${target}`, type: "A" }] })).toEqual([
      ["CNAME", "NS"],
      403,
    ]);
    expect(await names({ records_deny: [{ zone, domain: `www.${zone}`, type: "A" }] })).toEqual([["CNAME", "NS"], 403]);
    expect(await names({ records_allow: [{ zone, domain: `www.${zone}`, type: "A" }] })).toEqual([["A"], 200]);
  });

  test("are none of another account's zone, of a link, or of a missing zone", async () => {
    const stranger = await api.stranger();
    const [strange, second, none] = [fresh(), fresh(), fresh()];
    await stranger.must("PUT", `zones/${strange}`, { link: target });
    expect(await stranger.must("GET", `zones/${strange}`)).toMatchObject({ link: target, records: [] });
    expect((await stranger.call("GET", `zones/${strange}/www.${strange}/A`)).status).toBe(404);
    await make(second);
    await api.must("PUT", `zones/${none}`, { link: second });
    expect(await api.must("GET", `zones/${none}`)).toMatchObject({ records: [] });
    expect((await api.call("GET", `zones/${none}/www.${none}/A`)).status).toBe(404);
  });

  test("are without those whose names become too long", async () => {
    const label = "a".repeat(63);
    const own = fresh();
    await api.must("PUT", `zones/${own}`, {});
    const long = `${label}.${label}.${label}.${"b".repeat(253 - 192 - own.length - 1)}.${own}`;
    await api.must("PUT", `zones/${own}/${long}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
    const zone = `longer-${own}`;
    await api.must("PUT", `zones/${zone}`, { link: own });
    expect(await api.must("GET", `zones/${zone}`)).toMatchObject({ records: [{ type: "NS" }] });
    expect((await api.call("GET", `export/zonefile/${zone}`)).text).not.toContain("IN\tA");
    expect(await api.must("GET", `zones/${zone}/transfer`)).toMatchObject([{ type: "NS" }]);
    expect(await api.must("GET", `zones/${own}`)).toMatchObject({ records: [{ domain: long }, { type: "NS" }] });
  });
});

test("a linked zone is shown with the SOA record of its target", async () => {
  const zone = fresh();
  await make(zone);
  await api.numbered(await api.call("POST", `zones/${target}`, { refresh: 7777 }));
  const { serial, refresh, hostmaster } = await api.must("GET", `zones/${target}`);
  const answered = { zone, serial, refresh, hostmaster };
  expect(await api.must("GET", `zones/${zone}`)).toMatchObject(answered);
  expect(await api.must("GET", "zones")).toContainEqual(expect.objectContaining(answered));
});

test("empty fields may accompany a link", async () => {
  const body = {
    zone: "",
    tags: {},
    networks: [],
    meta: {},
    ttl: null,
    hostmaster: "",
    disabled: false,
    dnssec: false,
  };
  const zone = fresh();
  expect(await make(zone, { ...body, zone, link: `${target.toUpperCase()}.` })).toMatchObject({ link: target });
});

test("explain answers from the target's present records", async () => {
  const zone = fresh();
  await make(zone);
  const ask = async (name: string) => {
    const { answer } = await api.must<{ answer: string[] }>("POST", "explain", { name, type: "A" });
    return answer;
  };
  expect(await ask(`www.${zone}`)).toEqual([`www.${zone}. 3600 IN A 192.0.2.1`]);
  expect(await ask(`alias.${zone}`)).toEqual([
    `alias.${zone}. 3600 IN CNAME www.${target}.`,
    `www.${target}. 3600 IN A 192.0.2.1`,
  ]);
  await api.must("PUT", `zones/${target}/new.${target}/A`, { answers: [{ answer: ["192.0.2.7"] }] });
  expect(await ask(`new.${zone}`)).toEqual([`new.${zone}. 3600 IN A 192.0.2.7`]);
});

test("an export has the records of the target under the linked zone's names", async () => {
  const zone = fresh();
  await make(zone);
  const { text } = await api.call("GET", `export/zonefile/${zone}`);
  expect(text).toContain(`${zone}.\t3600\tIN\tSOA\tdns1.example.net. admin.target.example. `);
  expect(text).toContain(`\nwww.${zone}.\t3600\tIN\tA\t192.0.2.1\n`);
  expect(text).toContain(`\nalias.${zone}.\t3600\tIN\tCNAME\twww.${target}.\n`);
});

describe("refused", () => {
  test.each<[field: string, body: Fields]>([
    ["ttl", { ttl: 300 }],
    ["networks", { networks: [0] }],
    ["hostmaster", { hostmaster: "a@b.example" }],
    ["disabled", { disabled: true }],
    ["tags", { tags: { a: "b" } }],
  ])("%s together with a link", async (field, body) => {
    expect(await message("PUT", `zones/${fresh()}`, { link: target, ...body })).toEqual([
      400,
      `${field}: a linked zone has no settings of its own`,
    ]);
  });

  test("a link to the zone itself", async () => {
    const zone = fresh();
    expect(await message("PUT", `zones/${zone}`, { link: zone })).toEqual([
      400,
      "link: a zone cannot be linked to itself",
    ]);
    expect((await api.call("GET", `zones/${zone}`)).status).toBe(404);
  });

  test("a link to a zone that the key may not see", async () => {
    const dns = { manage_zones: true, view_zones: true, zones_allow_by_default: true, zones_deny: [target] };
    const limited = await api.limited({ dns });
    expect((await limited.call("PUT", `zones/${fresh()}`, { link: target })).status).toBe(403);
  });

  test("every write to a linked zone", async () => {
    const zone = fresh();
    await make(zone);
    const text = `the zone ${zone} is linked to ${target}; it cannot be changed or have records`;
    const answers = [{ answer: ["192.0.2.1"] }];
    const at = `zones/${zone}/added.${zone}/A`;
    expect(await message("POST", `zones/${zone}`, {})).toEqual([400, text]);
    expect(await message("POST", `zones/${zone}`, { ttl: 60 })).toEqual([400, text]);
    for (const method of ["PUT", "POST"]) expect(await message(method, at, { answers })).toEqual([400, text]);
    for (const name of ["added", "www"]) {
      expect(await message("DELETE", `zones/${zone}/${name}.${zone}/A`)).toEqual([400, text]);
    }
    expect(await message("POST", `${at}/answers`, { add: answers })).toEqual([400, text]);
    const put = [{ domain: `added.${zone}`, type: "A", answers }];
    expect(await message("POST", `zones/${zone}/records`, { put })).toEqual([400, text]);
    expect((await api.call("GET", at)).status).toBe(404);
  });

  test("a link added to an existing zone", async () => {
    const zone = fresh();
    await api.must("PUT", `zones/${zone}`, {});
    const text = "link: can only be set when the zone is created";
    expect(await message("POST", `zones/${zone}`, { link: target })).toEqual([400, text]);
    expect(await message("POST", `zones/${zone}`, { link: null, ttl: 60 })).toEqual([200, undefined]);
  });
});

describe("a target", () => {
  const rcode = async (name: string) => (await api.must("POST", "explain", { name, type: "A" }))["rcode"];

  test("may be missing, be made later, be deleted, and come back", async () => {
    const [own, zone] = [fresh(), fresh()];
    await api.must("PUT", `zones/${zone}`, { link: own });
    expect(await rcode(`www.${zone}`)).toBe("REFUSED");
    const { id } = await api.must("PUT", `zones/${own}`, {});
    expect(await rcode(`www.${zone}`)).toBe("NXDOMAIN");
    await api.must("DELETE", `zones/${own}`);
    expect(await rcode(`www.${zone}`)).toBe("REFUSED");
    await api.must("POST", `deletedzones/${id}/undelete`);
    expect(await rcode(`www.${zone}`)).toBe("NXDOMAIN");
  });

  test("that is itself linked, or in another account, is not followed", async () => {
    const [link, zone] = [fresh(), fresh()];
    await make(link);
    await api.must("PUT", `zones/${zone}`, { link });
    expect(await rcode(`www.${zone}`)).toBe("REFUSED");
    const stranger = await api.stranger();
    const strange = fresh();
    await stranger.must("PUT", `zones/${strange}`, { link: target });
    expect((await stranger.must("POST", "explain", { name: `www.${strange}`, type: "A" }))["rcode"]).toBe("REFUSED");
  });
});
