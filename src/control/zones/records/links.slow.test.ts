/** Linked records over HTTP: created and deleted in any order with their targets, shown, and answered. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { signedIn } from "../../../../test/service/browser.ts";

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
    await api.must("POST", `zones/${zone}/records`, first);
    expect((await explain(`c.${zone}`)).answer).toEqual([]);
  });

  test("is found by search and in versions, and restored with or without its target", async () => {
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
    expect(await api.must("POST", `${at(zone)}/restore`, { version: serial })).toMatchObject({ link, answers: [] });
    await api.must("DELETE", at(zone));
    await api.must("POST", `zones/${zone}/versions/${serial}/activate`);
    expect(await api.must("GET", at(zone))).toMatchObject({ link, answers: [] });
  });

  test("without a target is found by lint", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(zone), { link });
    const lint = async () => (await api.must<{ warnings: Fields[] }>("GET", `zones/${zone}/lint`)).warnings;
    expect(await lint()).toEqual([]);
    await api.must("DELETE", at(target));
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

  test("a link to itself, or to what is not a name", async () => {
    const { zone } = await zones();
    const text = "link: a record cannot be linked to itself";
    expect(await outcome("PUT", at(zone), { link: `www.${zone}` })).toEqual([400, text]);
    expect((await outcome("PUT", at(zone), { link: "a..b" }))[0]).toBe(400);
    expect((await api.call("GET", at(zone))).status).toBe(404);
  });
});

describe("a link that is not followed", () => {
  const answerOf = async (zone: string, type = "A") => (await explain(`www.${zone}`, type)).answer;
  const lint = async (zone: string) =>
    (await api.must<{ warnings: Fields[] }>("GET", `zones/${zone}/lint`)).warnings.map(({ code, field }) => [
      code,
      field,
    ]);
  const dangling = [["dangling_target", "link"]];

  test("to a missing record or zone, another type, a link, or a linked zone answers nothing, and lint says so", async () => {
    const { zone, target, link } = await zones();
    await api.must("PUT", at(target, "first"), { link });
    const linked = `z${zone}`;
    await api.must("PUT", `zones/${linked}`, { link: target });
    for (const to of [`none.${target}`, "www.elsewhere.example", `first.${target}`, `www.${linked}`]) {
      await api.must("PUT", at(zone), { link: to });
      expect([await answerOf(zone), await lint(zone)]).toEqual([[], dangling]);
      await api.must("DELETE", at(zone));
    }
    await api.must("PUT", at(zone, "www", "AAAA"), { link });
    expect([await answerOf(zone, "AAAA"), await lint(zone)]).toEqual([[], dangling]);
  });

  test("and its target can be created and deleted in any order", async () => {
    const { zone, target, link } = await zones();
    const calls = {
      link: () => api.must("PUT", at(zone), { link }),
      target: () => api.must("PUT", at(target), steered),
      unlink: () => api.must("DELETE", at(zone)),
      "no target": () => api.must("DELETE", at(target)),
      "no zone": () => api.must("DELETE", `zones/${target}`),
      zone: () => api.must("PUT", `zones/${target}`, {}),
    };
    await calls["no target"]();
    const orders: (keyof typeof calls)[][] = [
      ["link", "target", "no target", "unlink"],
      ["target", "link", "unlink", "no target"],
      ["no zone", "link", "zone", "target", "no zone", "unlink", "zone"],
      ["link", "no zone", "zone", "target", "unlink", "no target"],
    ];
    for (const order of orders) {
      const done = new Set<string>();
      for (const call of order) {
        await calls[call]();
        if (call === "unlink") done.delete("link");
        else if (call.startsWith("no ")) done.delete("target");
        else done.add(call);
        if (done.has("link")) expect(await answerOf(zone)).toHaveLength(done.has("target") ? 2 : 0);
      }
    }
  });

  test("in a loop answers nothing, and answers once the loop is broken", async () => {
    const { zone, target } = await zones();
    await api.must("PUT", at(zone), { link: `www.${target}` });
    await api.must("POST", at(target), { link: `www.${zone}`, answers: [], filters: [] });
    for (const one of [zone, target]) expect([await answerOf(one), await lint(one)]).toEqual([[], dangling]);
    await api.must("POST", at(target), { link: null, answers: [{ answer: ["192.0.2.5"] }] });
    expect(await answerOf(zone)).toEqual([`www.${zone}. 60 IN A 192.0.2.5`]);
  });

  test("never leads to a zone that another account makes later", async () => {
    const { zone } = await zones();
    const theirs = `s${zone}`;
    await api.must("PUT", at(zone), { link: `www.${theirs}` });
    await api.must("PUT", `zones/z${zone}`, { link: theirs });
    const stranger = await api.stranger();
    await stranger.must("PUT", `zones/${theirs}`, {});
    await stranger.must("PUT", at(theirs), steered);
    expect([await answerOf(zone), await lint(zone)]).toEqual([[], dangling]);
    expect(await api.must("POST", "explain", { name: `www.z${zone}`, type: "A" })).toMatchObject({ rcode: "REFUSED" });
    expect(await lint(`z${zone}`)).toEqual(dangling);
    const text = (await api.call("GET", `export/zonefile/${zone}`)).text;
    expect(text).toContain(`; left out: www.${zone} A\n`);
    expect(await api.must<Fields[]>("GET", `zones/${zone}/transfer`)).toContainEqual({
      ...{ domain: `www.${zone}`, type: "A", flattening: "left out", records: [] },
    });
  });

  test("leaves no owner names behind", async () => {
    const { zone, target } = await zones();
    await api.must("PUT", at(zone), { link: `none.${target}` });
    const put = Array.from({ length: 3 }, (_, i) => ({
      domain: `l${i}.${zone}`,
      type: "A",
      link: `none${i}.${target}`,
    }));
    await api.must("POST", `zones/${zone}/records`, { put });
    const owners = await api.store.db.selectFrom("owner").select("domain").where("domain", "like", "none%").execute();
    expect(owners).toEqual([]);
  });
});

test("a session confirms that a target goes, and may let single deletions go unguarded", async () => {
  const { user, page } = await signedIn(api);
  expect(user.account_id).not.toBe("");
  const { zone, target, link } = await zones();
  await api.must("PUT", at(zone), { link });
  await api.must("PUT", `zones/z${zone}`, { link: target });
  const text = (what: string) => `${what} and loses its answers; to confirm, send confirm_deletions=true`;
  const record = text(`www.${zone} A is linked to ${link} A`);
  const outcomeOf = async (method: string, path: string, body?: unknown) => {
    const reply = await page.call<Fields>(method, path, body);
    return [reply.status, reply.body["message"]];
  };
  expect(await outcomeOf("DELETE", at(target))).toEqual([409, record]);
  const remove = [{ domain: link, type: "A" }];
  expect(await outcomeOf("POST", `zones/${target}/records`, { remove })).toEqual([409, record]);
  const answers = steered.answers.map(({ answer }) => ({ answer }));
  expect(await outcomeOf("POST", `${at(target)}/answers`, { remove: answers })).toEqual([409, record]);
  const ofZone = text(`the zone z${zone} is linked to ${target}`);
  expect(await outcomeOf("DELETE", `zones/${target}`)).toEqual([409, ofZone]);
  const zonesGone = [target, zone, `z${zone}`].map((name) => ({ action: "delete", zone: name }));
  expect((await outcomeOf("PUT", "changesets", { zones: zonesGone.slice(0, 1) }))[0]).toBe(409);
  expect(await outcomeOf("PUT", "changesets?dry_run=true", { zones: zonesGone })).toEqual([200, undefined]);
  await api.must("DELETE", `zones/z${zone}`);
  expect(await outcomeOf("DELETE", `zones/${target}`)).toEqual([409, record]);
  expect(await outcomeOf("DELETE", `${at(target)}?confirm_deletions=true`)).toEqual([200, undefined]);
  expect(await outcomeOf("DELETE", `zones/${target}?confirm_deletions=true`)).toEqual([200, undefined]);
  expect((await explain(`www.${zone}`)).answer).toEqual([]);
  // in either order
  await api.must("POST", `deletedzones/${target}/undelete`);
  await api.must("DELETE", `zones/${zone}`);
  await api.must("POST", `deletedzones/${zone}/undelete`);
});

test("a link whose label contains a dot leads into the zone that contains the label, not into the zone after that dot", async () => {
  const { page } = await signedIn(api);
  const { zone, target } = await zones();
  await api.must("PUT", `zones/inner.${target}`, {});
  await api.must("PUT", at(zone), { link: `x\\.inner.${target}` });
  const goes = (name: string) => page.call<Fields>("DELETE", `zones/${name}`);
  expect((await goes(`inner.${target}`)).status).toBe(200);
  await api.must("PUT", `zones/inner.${target}`, {});
  const { status, body } = await goes(target);
  expect([status, body["message"]]).toEqual([409, expect.stringContaining(`www.${zone} A is linked to x\\.inner`)]);
});

test("many concurrent links to one target, existing or not, all succeed", async () => {
  const { zone, target, link } = await zones();
  for (const to of [link, `none.${target}`]) {
    const names = Array.from({ length: 40 }, (_, i) => `n${i}`);
    const replies = await Promise.all(names.map((name) => api.call("PUT", at(zone, name), { link: to })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    for (const name of names) await api.must("DELETE", at(zone, name));
  }
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
      const text = (of: string) => `You do not have the permission view_zones for the record ${of} A`;
      expect(await outcome("PUT", at(zone, "new"), { link }, limited)).toEqual([403, text(link)]);
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

  test("cannot link to it before it exists either, nor to a name that a closed zone may contain later", async () => {
    const { zone, target } = await zones();
    const later = `later.${target}`;
    const closed = { zones_allow_by_default: true, zones_deny: [later, "later.example"] };
    const limited = await api.limited(dns(closed));
    const only = await api.limited(dns({ zones_allow_by_default: false, zones_allow: [zone, "own.example"] }));
    const status = async (link: string, by: Client) => (await outcome("PUT", at(zone, "new"), { link }, by))[0];
    for (const link of [`www.${later}`, "www.later.example", "later.example"]) {
      expect(await status(link, limited)).toBe(403);
      expect(await status(link, only)).toBe(403);
    }
    for (const [link, by] of [
      [`none.${target}`, limited],
      ["www.own.example", only],
      [`none.${zone}`, only],
    ] as const) {
      expect(await status(link, by)).toBe(200);
      await api.must("DELETE", at(zone, "new"));
    }
    expect(await outcome("PUT", "zones/to-later.example", { link: "later.example" }, limited)).toEqual([
      403,
      "You do not have the permission view_zones for the zone later.example",
    ]);
  });
});

test("a target whose name a closed zone has taken over is hidden from a key that was allowed to link to it", async () => {
  const { zone } = await zones();
  const child = `child.${zone}`;
  const limited = await api.limited(dns({ zones_allow_by_default: false, zones_allow: [zone] }));
  await limited.must("PUT", at(zone, "link"), { link: `www.${child}` });
  await limited.must("PUT", at(zone, "alias", "ALIAS"), { answers: [{ answer: [`www.${child}`] }] });
  await api.must("PUT", `zones/${child}`, {});
  await api.must("PUT", at(child), steered);
  for (const [name, type] of [
    [`link.${zone}`, "A"],
    [`alias.${zone}`, "A"],
  ] as const) {
    expect((await explain(name, type)).answer).toHaveLength(2);
    expect((await explain(name, type, limited)).answer).toEqual([]);
  }
  const exported = async (by: Client) => (await by.call("GET", `export/zonefile/${zone}`)).text;
  expect(await exported(api)).toContain("192.0.2.1");
  expect(await exported(limited)).not.toContain("192.0.2.1");
  const preview = async (by: Client) => (await by.call("GET", `zones/${zone}/transfer`)).text;
  expect(await preview(api)).toContain("192.0.2.1");
  expect(await preview(limited)).not.toContain("192.0.2.1");
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
  await api.must("PUT", at(other), { link });
  const call = async (method: string, path: string, body?: Fields) => {
    const { serials } = await api.numbered(await api.call(method, path, body));
    return id in serials;
  };
  expect(await call("DELETE", at(target))).toBe(true);
  expect(await call("PUT", at(target), steered)).toBe(true);
  expect(await call("DELETE", `zones/${target}`)).toBe(true);
  expect(await call("POST", `deletedzones/${target}/undelete`)).toBe(true);
  // the name moves to a zone of its own, and back
  expect(await call("PUT", `zones/${link}`, {})).toBe(true);
  expect(await call("DELETE", `zones/${link}`)).toBe(true);
  await api.must("PUT", `zones/${other}/ns.${other}/NS`, { link: `new.${target}` });
  expect(await call("PUT", `zones/new.${target}`, {})).toBe(true);
});
