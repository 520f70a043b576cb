/** Linked records over HTTP: created, shown, kept consistent with their targets, and refused without a target. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";

const api = await startApi();
const steered = {
  ttl: 60,
  answers: [
    { answer: ["192.0.2.1"], meta: { weight: 1 } },
    { answer: ["192.0.2.2"], meta: { weight: 2 } },
  ],
  filters: [{ filter: "weighted_shuffle", config: {} }],
};

let count = 0;
/** A zone with a steered record at www, and one to link from; the second sorts before the first. */
async function zones() {
  const n = ++count;
  const [target, zone] = [`t${n}.example`, `l${n}.example`];
  await api.must("PUT", `zones/${target}`, {});
  await api.must("PUT", `zones/${zone}`, {});
  await api.must("PUT", at(target), steered);
  return { target, zone, www: `www.${target}`, link: `www.${target}` };
}
const at = (zone: string, name = "www", type = "A") => `zones/${zone}/${name}.${zone}/${type}`;
const outcome = async (method: string, path: string, body?: unknown, by: Client = api) => {
  const { status, body: reply } = await by.call<Fields>(method, path, body);
  return [status, reply["message"]];
};
const explain = (name: string, type = "A", by: Client = api) =>
  by.must<{ answer: string[]; steps: Fields[]; warnings: Fields[] }>("POST", "explain", { name, type });
const dns = (more: Fields) => ({ dns: { view_zones: true, manage_zones: true, ...more } });

describe("a linked record", () => {
  test("is shown with its link and without the fields of its target", async () => {
    const { zone, link } = await zones();
    const body = { link: `${link.toUpperCase()}.`, answers: [], filters: [], regions: {}, meta: {}, tags: {} };
    const made = await api.must("PUT", at(zone), { ...body, blocked_tags: [], use_client_subnet: true });
    expect(made).toMatchObject({ link, answers: [], filters: [], regions: {}, meta: {}, tier: 1, ttl: 3600 });
    expect(await api.must("GET", at(zone))).toEqual(made);
    const { records } = await api.must<{ records: Fields[] }>("GET", `zones/${zone}`);
    const [, summary] = records;
    expect(Object.keys(summary!)).toEqual(["domain", "short_answers", "link", "ttl", "tier", "type", "id", "zone"]);
    expect(summary).toMatchObject({ domain: `www.${zone}`, short_answers: [], link, type: "A" });
  });

  test("answers like its target, and explain shows the link", async () => {
    const { zone, link } = await zones();
    await api.must("PUT", at(zone), { link });
    const { answer, steps } = await explain(`www.${zone}`);
    expect(answer.toSorted()).toEqual([`www.${zone}. 60 IN A 192.0.2.1`, `www.${zone}. 60 IN A 192.0.2.2`]);
    expect(steps).toMatchObject([{ link, record: `${link} A`, hidden: false, answers: [{}, {}], filters: [{}] }]);
    await api.must("POST", at(zone), { override_ttl: true, ttl: 7, tags: { a: "b" } });
    expect((await explain(`www.${zone}`)).answer[0]).toContain(" 7 IN A ");
    await api.must("POST", `zones/${link.slice(4)}/${link}/A`, { answers: [{ answer: ["192.0.2.9"] }] });
    expect((await explain(`www.${zone}`)).answer).toEqual([`www.${zone}. 7 IN A 192.0.2.9`]);
  });

  test("can replace an ordinary record, and become an ordinary record again", async () => {
    const { zone, link } = await zones();
    await api.must("PUT", at(zone), { ...steered, meta: { note: "own" }, all_down: { policy: "nothing" } });
    expect(await api.must("POST", at(zone), { link, answers: [] })).toMatchObject({
      ...{ link, answers: [], filters: [], meta: {}, tier: 1 },
    });
    const gave = await api.must("POST", at(zone), { link: "", answers: [{ answer: ["192.0.2.7"] }] });
    expect(gave).toMatchObject({ link: null, answers: [{ answer: ["192.0.2.7"] }] });
    expect(await api.must("POST", at(zone), { link: null })).toMatchObject({ link: null });
  });

  test("may be in its target's zone, have any type, and share a name with other records", async () => {
    const { target } = await zones();
    await api.must("PUT", at(target, "mail", "MX"), { answers: [{ answer: [10, `www.${target}`] }] });
    await api.must("PUT", at(target, "other", "MX"), { link: `mail.${target}` });
    await api.must("PUT", at(target, "other"), { link: `www.${target}` });
    expect((await explain(`other.${target}`, "MX")).answer).toEqual([`other.${target}. 3600 IN MX 10 www.${target}.`]);
  });

  test("is flattened in a zone file", async () => {
    const { zone, link, target } = await zones();
    await api.must("PUT", at(zone), { link });
    await api.must("PUT", at(zone, "own"), { link, override_ttl: true, ttl: 7 });
    const text = async (by: Client = api) => (await by.call("GET", `export/zonefile/${zone}`)).text;
    expect(await text()).toContain(`\nwww.${zone}.\t60\tIN\tA\t192.0.2.1\nwww.${zone}.\t60\tIN\tA\t192.0.2.2\n`);
    expect(await text()).toContain(`\nown.${zone}.\t7\tIN\tA\t192.0.2.1\n`);
    const limited = await api.limited(dns({ zones_allow_by_default: true, zones_deny: [target] }));
    expect(await text(limited)).toContain(`; left out: www.${zone} A\n`);
  });

  test("and its target can be written in one change set, in any order, and in one bulk write", async () => {
    const { zone, target } = await zones();
    const answers = [{ answer: ["192.0.2.3"] }];
    const put = { action: "create", type: "A" };
    const records = [
      { ...put, zone, domain: `both.${zone}`, link: `both.${target}` },
      { ...put, zone: target, domain: `both.${target}`, answers },
    ];
    const dry = await api.must<{ zones: unknown[] }>("PUT", "changesets?dry_run=true", { records });
    expect(dry.zones).toHaveLength(2);
    await api.must("PUT", "changesets", { records });
    expect((await explain(`both.${zone}`)).answer).toEqual([`both.${zone}. 3600 IN A 192.0.2.3`]);
    const removal = records.map(({ zone: of, domain, type }) => ({ action: "delete", zone: of, domain, type }));
    await api.must("PUT", "changesets", { records: removal });
    const bulk = [
      { domain: `a.${zone}`, type: "A", link: `b.${zone}` },
      { domain: `b.${zone}`, type: "A", answers },
    ];
    await api.must("POST", `zones/${zone}/records`, { put: bulk });
    const first = {
      put: [{ domain: `c.${zone}`, type: "A", link: `b.${zone}` }],
      remove: [{ domain: `b.${zone}`, type: "A" }],
    };
    expect((await outcome("POST", `zones/${zone}/records`, first))[0]).toBe(400);
  });

  test("is found by search and in versions, and restored only while its target exists", async () => {
    const { zone, target, link } = await zones();
    const found = await api.must<Fields[]>("GET", `search?q=${link}&type=record`);
    expect(found).toEqual([{ domain: link, type: "A", zone: target }]);
    await api.must("PUT", at(zone), { link });
    const made = await api.call<Fields>("POST", at(zone), { ttl: 5 });
    const { serials } = await api.numbered(made);
    await api.must("DELETE", at(zone));
    const [serial] = Object.values(serials);
    const restored = await api.must("POST", `${at(zone)}/restore`, { version: serial });
    expect(restored).toMatchObject({ link, ttl: 5, answers: [] });
    await api.must("DELETE", at(zone));
    await api.must("DELETE", at(target));
    const text = `link: there is no record ${link} A`;
    expect(await outcome("POST", `${at(zone)}/restore`, { version: serial })).toEqual([400, text]);
    expect(await outcome("POST", `zones/${zone}/versions/${serial}/activate`)).toEqual([400, text]);
  });

  test("without a target is found by lint", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone), { link });
    const lint = async () => (await api.must<{ warnings: Fields[] }>("GET", `zones/${zone}/lint`)).warnings;
    expect(await lint()).toEqual([]);
    // as a transfer from a primary may do
    await api.store.db.deleteFrom("record").where("domain", "=", `www.${target}`).execute();
    expect(await lint()).toMatchObject([{ code: "dangling_target", domain: `www.${zone}`, field: "link" }]);
    const { answer, steps, warnings } = await explain(`www.${zone}`);
    expect([answer, steps, warnings]).toMatchObject([[], [{ state: "nodata", link }], [{ code: "dangling_target" }]]);
  });
});

test("a dry run shows the answers for each country when a steered record is linked", async () => {
  const { zone, link } = await zones();
  const places = ["DE", "FR"].map((country, i) => ({ answer: [`192.0.2.${7 + i}`], meta: { country: [country] } }));
  const filters = [{ filter: "geofence_country", config: { remove_no_location: true } }];
  await api.must("PUT", at(zone), { answers: places, filters });
  const records = [{ action: "update", zone, domain: `www.${zone}`, type: "A", link }];
  const { effect } = await api.must<{ effect: { cells: Fields[] } }>("PUT", "changesets?dry_run=true", { records });
  const { cells } = effect;
  const german = cells.filter(({ country }) => country === "DE");
  expect(german).toContainEqual(expect.objectContaining({ answer: ["192.0.2.7"], before: 1, after: 0 }));
  const after = german.filter((cell) => Number(cell["after"]) > 0).map(({ answer }) => answer);
  expect(after).toEqual(expect.arrayContaining([["192.0.2.1", "192.0.2.2"]]));
});

describe("refused", () => {
  test("fields of the target together with a link", async () => {
    const { zone, link } = await zones();
    const values: Fields = {
      answers: [{ answer: ["192.0.2.1"] }],
      filters: [{ filter: "up" }],
      regions: { a: {} },
      meta: { up: true },
      all_down: { policy: "nothing" },
      live_guard: 0.5,
      override_address_records: true,
    };
    for (const [field, value] of Object.entries(values)) {
      const text = `${field}: cannot be set, because the record is linked to ${link}`;
      expect(await outcome("PUT", at(zone), { link, [field]: value })).toEqual([400, text]);
    }
    await api.must("PUT", at(zone), { link });
    const own = { answers: [{ answer: ["192.0.2.1"] }] };
    expect((await outcome("POST", at(zone), own))[0]).toBe(400);
    const text = `the record is linked to ${link}; it has no answers of its own`;
    expect(await outcome("POST", `${at(zone)}/answers`, { add: own.answers })).toEqual([400, text]);
  });

  test("a link to itself, a missing record, another type, a link, a linked zone, or another account", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone, "first"), { link });
    const linked = `z${zone}`;
    await api.must("PUT", `zones/${linked}`, { link: target });
    const stranger = await api.stranger();
    await stranger.must("PUT", `zones/s${zone}`, {});
    await stranger.must("PUT", at(`s${zone}`), steered);
    const refusals: [to: string, text: string][] = [
      [`www.${zone}`, "a record cannot be linked to itself"],
      [`none.${target}`, `there is no record none.${target} A`],
      ["www.elsewhere.example", "no zone of this account contains www.elsewhere.example"],
      [`www.s${zone}`, `no zone of this account contains www.s${zone}`],
      [`first.${zone}`, `first.${zone} A is itself linked to ${link}`],
      [`www.${linked}`, `www.${linked} is in ${linked}, which is linked to ${target}`],
    ];
    for (const [to, text] of refusals) {
      expect(await outcome("PUT", at(zone), { link: to })).toEqual([400, `link: ${text}`]);
    }
    expect((await outcome("PUT", at(zone), { link: "a..b" }))[0]).toBe(400);
    expect(await outcome("PUT", at(zone, "www", "AAAA"), { link })).toEqual([
      ...[400, `link: there is no record ${link} AAAA`],
    ]);
    expect((await api.call("GET", at(zone))).status).toBe(404);
    // a loop: a target cannot be linked itself
    const text = `${link} A cannot be linked, because first.${zone} A is linked to it`;
    await api.must("PUT", at(zone), { answers: [{ answer: ["192.0.2.5"] }] });
    expect(await outcome("POST", at(target), { link: `www.${zone}` })).toEqual([400, text]);
  });

  test("deleting a target alone, in a bulk write, answer by answer, or with its zone", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone), { link });
    const text = `www.${zone} A is linked to ${link} A; delete the linked records first`;
    expect(await outcome("DELETE", at(target))).toEqual([400, text]);
    const remove = [{ domain: link, type: "A" }];
    expect(await outcome("POST", `zones/${target}/records`, { remove })).toEqual([400, text]);
    const answers = steered.answers.map(({ answer }) => ({ answer }));
    expect(await outcome("POST", `${at(target)}/answers`, { remove: answers })).toEqual([400, text]);
    expect(await outcome("DELETE", `zones/${target}`)).toEqual([400, `the record ${text}`]);
    const both = [target, zone].map((name) => ({ action: "delete", zone: name }));
    expect((await outcome("PUT", "changesets", { zones: both.slice(0, 1) }))[0]).toBe(400);
    await api.must("PUT", "changesets", { zones: both });
    // the target must be brought back first
    expect((await outcome("POST", `deletedzones/${zone}/undelete`))[0]).toBe(400);
    await api.must("POST", `deletedzones/${target}/undelete`);
    await api.must("POST", `deletedzones/${zone}/undelete`);
    expect((await explain(`www.${zone}`)).answer).toHaveLength(2);
  });

  test("either the deletion of a target or a concurrent link to it", async () => {
    for (let round = 0; round < 5; round++) {
      const { zone, target, link } = await zones();
      const replies = await Promise.all([api.call("DELETE", at(target)), api.call("PUT", at(zone), { link })]);
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    }
  });

  test("none of many concurrent links to one target", async () => {
    const { zone, link } = await zones();
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const replies = await Promise.all(names.map((name) => api.call("PUT", at(zone, name), { link })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("a key that may not see the target", () => {
  test("cannot link to it or see its answers", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone), { link });
    for (const scope of [
      { zones_allow_by_default: true, zones_deny: [target] },
      { zones_allow_by_default: true, records_deny: [{ zone: target, domain: link, type: "A" }] },
      { zones_allow_by_default: true, records_allow: [{ zone: target, domain: `other.${target}`, type: "A" }] },
    ]) {
      const limited = await api.limited(dns(scope));
      const text = `You do not have the permission manage_zones for the record ${link} A`;
      expect(await outcome("PUT", at(zone, "new"), { link }, limited)).toEqual([403, text]);
      const { steps } = await explain(`www.${zone}`, "A", limited);
      expect(steps).toMatchObject([{ link, hidden: true, record: null, answers: [], filters: [] }]);
    }
  });

  test("cannot see the target of a linked zone either", async () => {
    const { target } = await zones();
    const linked = `z${target}`;
    await api.must("PUT", `zones/${linked}`, { link: target });
    const limited = await api.limited(dns({ zones_allow_by_default: true, zones_deny: [target] }));
    const { steps } = await explain(`www.${linked}`, "A", limited);
    expect(steps).toMatchObject([{ link: `www.${target}`, hidden: true, record: null, answers: [], filters: [] }]);
    expect((await explain(`www.${linked}`)).steps).toMatchObject([
      { link: `www.${target}`, record: `www.${target} A` },
    ]);
  });

  test("does not see the names of records that are linked to the record that it deletes", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone), { link });
    const limited = await api.limited(dns({ zones_allow_by_default: true, zones_deny: [zone] }));
    const text = `a record that you do not have access to is linked to ${link} A; delete the linked records first`;
    expect(await outcome("DELETE", at(target), undefined, limited)).toEqual([400, text]);
    expect(await outcome("DELETE", `zones/${target}`, undefined, limited)).toEqual([400, text]);
  });
});

test("a preview of a transfer has the target's answers", async () => {
  const { zone, target, link } = await zones();
  await api.must("PUT", at(zone), { link });
  const preview = async () => (await api.must<Fields[]>("GET", `zones/${zone}/transfer`))[1];
  const records = [`www.${zone}. 60 IN A 192.0.2.1`, `www.${zone}. 60 IN A 192.0.2.2`];
  expect(await preview()).toEqual({ domain: `www.${zone}`, type: "A", flattening: "linked", records });
  await api.must("POST", `zones/${target}`, { disabled: true });
  expect(await preview()).toEqual({ domain: `www.${zone}`, type: "A", flattening: "left out", records: [] });
});

test("a preview of many links to a large record is divided into pages", async () => {
  const { zone } = await zones();
  const large = Array.from({ length: 100 }, (_, i) => ({ answer: [`${100 + i}${"\u00ff".repeat(290)}`] }));
  const target = `large.${zone}`;
  const links = Array.from({ length: 100 }, (_, i) => ({ domain: `l${100 + i}.${zone}`, type: "TXT", link: target }));
  await api.must("PUT", at(zone, "large", "TXT"), { answers: large });
  await api.must("POST", `zones/${zone}/records`, { put: links });
  const found: unknown[] = [];
  let pages = 0;
  for (let after = ""; ; pages++) {
    const { body, headers } = await api.call<{ domain: string }[]>("GET", `zones/${zone}/transfer?after=${after}`);
    found.push(...body.map(({ domain }) => domain));
    if (!headers.get("link")) break;
    after = encodeURIComponent(`${body.at(-1)!.domain}/TXT`);
  }
  expect(pages).toBeGreaterThan(0);
  expect(found).toEqual([...links.map(({ domain }) => domain), zone, target]);
});

test("zones with secondaries get a new serial when a target changes", async () => {
  const { zone, target, link } = await zones();
  const other = `o${zone}`;
  await api.must("PUT", `zones/${other}`, { primary: { enabled: true, secondaries: [{ ip: "192.0.2.1" }] } });
  await api.must("PUT", at(zone), { link });
  const { id } = await api.must<{ id: string }>("GET", `zones/${other}`);
  await api.must("PUT", at(other), { link });
  const touched = async (body: Fields) => {
    const { serials } = await api.numbered(await api.call("POST", at(target), body));
    return [Object.keys(serials).length, id in serials];
  };
  expect(await touched({ ttl: 30 })).toEqual([2, true]);
  await api.must("DELETE", at(other));
  expect(await touched({ ttl: 31 })).toEqual([1, false]);
});
