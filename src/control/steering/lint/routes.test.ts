/** Lints a zone with one mistake of each kind, and a zone without mistakes. */
import { describe, expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import type { Warning } from "./lint.ts";
import { rules } from "./rules/index.ts";

interface Linted {
  readonly zone: string;
  readonly records: number;
  readonly complete: boolean;
  readonly warnings: readonly Warning[];
}

const api = await startApi();
const [bad, good] = ["bad.example", "good.example"];
const put = (domain: string, type: string, body: Fields) => {
  const zone = domain.split(".").slice(-2).join(".");
  return api.must("PUT", `zones/${zone}/${domain}/${type}`, { ttl: 60, ...body });
};
const lint = (zone: string) => api.must<Linted>("GET", `zones/${zone}/lint`);
const answer = (n: number, meta: Fields = {}, more: Fields = {}) => ({ answer: [`192.0.2.${n}`], meta, ...more });
const filters = (...ids: (string | [id: string, config: Fields])[]) =>
  ids.map((each) => (typeof each === "string" ? { filter: each, config: {} } : { filter: each[0], config: each[1] }));
const firstN = (N: number): [string, Fields] => ["select_first_n", { N }];
const text = (n: number) => ({ answer: [`${n}`.padStart(250, "-")] });

await api.must("PUT", `zones/${bad}`, {});
await api.must("PUT", `zones/${good}`, {});
const source = await api.must<{ id: string }>("PUT", "data/sources", { name: "s", sourcetype: "nsone_v1" });
const { id: feed } = await api.must<{ id: string }>("PUT", `data/feeds/${source.id}`, {
  name: "f",
  config: { label: "f" },
});

await put(`late.${bad}`, "A", { answers: [answer(1), answer(2)], filters: filters("shuffle", firstN(1), "sticky") });
await put(`unset.${bad}`, "A", { answers: [answer(1), answer(2)], filters: filters("geotarget_country", "shuffle") });
await put(`weights.${bad}`, "A", {
  answers: [answer(1, { weight: 0 }), answer(2, { weight: "0" })],
  filters: filters("weighted_shuffle", "shuffle"),
});
await put(`fence.${bad}`, "A", {
  answers: [answer(1, { country: ["DE"] }), answer(2, { country: ["US"] })],
  filters: filters("geofence_country"),
});
await put(`never.${bad}`, "A", {
  answers: [answer(1, { up: true }), answer(2, { up: false })],
  filters: filters("up"),
});
await put(`cname.${bad}`, "CNAME", { answers: [{ answer: [`nothing.${bad}`] }] });
await put(`large.${bad}`, "TXT", { answers: [1, 2, 3, 4, 5].map(text) });
await put(`slow.${bad}`, "A", {
  ttl: 3600,
  answers: [answer(1, { up: { feed } }), answer(2, { up: true })],
  filters: filters("up"),
});
await put(`void.${bad}`, "A", {});
await put(`www.covered.${bad}`, "A", { answers: [answer(1)] });
await api.must("PUT", `zones/covered.${bad}`, {});
await put(`region.${bad}`, "A", { answers: [answer(1, {}, { region: "eu" })], regions: { eu: {}, us: {} } });

test("each kind of mistake is found once", async () => {
  const { zone, records, complete, warnings } = await lint(bad);
  expect({ zone, records, complete }).toEqual({ zone: bad, records: 12, complete: true });
  expect(warnings.map(({ code, domain, field }) => [code, domain.split(".")[0], field])).toEqual([
    ["dangling_target", "cname", "answers[0]"],
    ["no_default_answer", "fence", "filters[0]"],
    ["large_reply", "large", "answers"],
    ["filter_too_late", "late", "filters[2]"],
    ["unreachable_answer", "never", "answers[1]"],
    ["unused_region", "region", "regions.us"],
    ["slow_failover", "slow", "ttl"],
    ["filter_without_metadata", "unset", "filters[0]"],
    ["record_without_answers", "void", "answers"],
    ["weights_zero", "weights", "filters[0]"],
    ["covered_record", "www", "domain"],
  ]);
  expect(warnings.map(({ code }) => code).sort()).toEqual(rules.map(({ code }) => code).sort());
});

test("a zone without mistakes has no warnings", async () => {
  const failover = [answer(1, { up: { feed }, priority: 1 }), answer(2, { up: true, priority: 2 })];
  await put(`a.${good}`, "A", {
    answers: failover,
    filters: filters("up", ["priority", { eliminate: true }], firstN(1)),
  });
  await put(`standby.${good}`, "A", {
    answers: [answer(1, { up: { feed } }), answer(2, {}, { region: "standby" })],
    regions: { standby: {} },
    filters: filters("up"),
    all_down: { policy: "group", group: "standby" },
  });
  await put(`geo.${good}`, "A", {
    answers: [answer(1, { country: ["DE"] }, { region: "eu" }), answer(2, {}, { region: "rest" })],
    regions: { eu: {}, rest: {} },
    filters: filters(["geofence_country", { remove_no_location: true }], "select_first_region", "shuffle", firstN(1)),
  });
  await put(`weighted.${good}`, "A", {
    answers: [answer(1, { weight: 1 }), answer(2, { weight: { feed } })],
    filters: filters("weighted_shuffle", firstN(1)),
  });
  // disabled filters are ignored
  const off = { filter: "up", config: {}, disabled: true };
  await put(`off.${good}`, "A", { ttl: 3600, answers: [answer(1), answer(2)], filters: [off] });
  await put(`*.${good}`, "TXT", { answers: [1, 2, 3, 4].map(text) });
  await put(`www.sub.${good}`, "AAAA", { answers: [{ answer: ["2001:db8::1"] }] });
  await put(`cname.${good}`, "CNAME", { answers: [{ answer: [`www.sub.${good}.`] }] });
  await put(good, "ALIAS", { answers: [{ answer: [`www.sub.${good}`] }] });
  await put(`elsewhere.${good}`, "CNAME", { answers: [{ answer: ["nothing.example.net"] }] });
  await put(`dname.${good}`, "DNAME", { answers: [{ answer: [`sub.${good}`] }] });
  await put(good, "MX", { answers: [{ answer: [0, "."] }, { answer: [10, `by-the-wildcard.${good}`] }] });
  await put(`large.${good}`, "TXT", { answers: [1, 2, 3, 4, 5, 6].map(text), filters: filters("shuffle", firstN(4)) });
  expect(await lint(good)).toEqual({ zone: good, records: 14, complete: true, warnings: [] });
});

/** Returns the fields of answers that lint reports as unreachable in a new record with this body. */
async function unreachable(label: string, body: Fields): Promise<readonly string[]> {
  const domain = `${label.replaceAll(/\W/g, "")}.${bad}`;
  await put(domain, "A", body);
  const { warnings } = await api.must<Linted>("POST", "explain", { name: domain });
  return warnings.filter(({ code }) => code === "unreachable_answer").map(({ field }) => field);
}

describe("an answer that no client gets is reported:", () => {
  const cases: readonly [why: string, body: Fields, fields: readonly string[]][] = [
    [
      "it has no value for up, next to an answer whose value comes from a feed",
      { answers: [answer(1, { up: { feed } }), answer(2)], filters: filters("up") },
      ["1"],
    ],
    [
      "it has no weight, next to an answer with a weight",
      { answers: [answer(1, { weight: 1 }), answer(2)], filters: filters("weighted_shuffle", firstN(1)) },
      ["1"],
    ],
    [
      "it has a worse priority",
      {
        answers: [answer(1, { priority: 2 }), answer(2, { priority: 1 })],
        filters: filters(["priority", { eliminate: 1 }]),
      },
      ["0"],
    ],
    [
      "it is never the first, and only the first is selected",
      { answers: [answer(1), answer(2), answer(3)], filters: filters(firstN(1)) },
      ["1", "2"],
    ],
  ];
  test.each(cases)("%s", async (why, body, fields) => {
    expect(await unreachable(why, body)).toEqual(fields.map((i) => `answers[${i}]`));
  });
});

describe("an answer that some clients may get is not reported:", () => {
  const cases: readonly [why: string, body: Fields][] = [
    [
      "it has no weight, but all answers are selected",
      { answers: [answer(1, { weight: 1 }), answer(2)], filters: filters("weighted_shuffle", firstN(2)) },
    ],
    [
      "it is down, but behind a fence that may leave only it",
      {
        answers: [answer(1, { country: ["DE"], up: false }), answer(2, { up: true })],
        filters: filters("geofence_country", "up"),
      },
    ],
  ];
  test.each(cases)("%s", async (why, body) => {
    expect(await unreachable(why, body)).toEqual([]);
  });
});

test("explain has the warnings of the records that made the answer", async () => {
  const { warnings } = await api.must<Linted>("POST", "explain", { name: `fence.${bad}` });
  expect(warnings).toMatchObject([{ code: "no_default_answer", domain: `fence.${bad}`, field: "filters[0]" }]);
  const through = await api.must<Linted>("POST", "explain", { name: `cname.${bad}` });
  expect(through.warnings).toMatchObject([{ code: "dangling_target" }]);
  expect((await api.must<Linted>("POST", "explain", { name: bad, type: "NS" })).warnings).toEqual([]);
});

describe("records that no query reaches are found", () => {
  let count = 0;
  const made = async (zone = `parent${++count}.example`, body: Fields = {}) => {
    await api.must("PUT", `zones/${zone}`, body);
    return zone;
  };
  const found = async (zone: string, client: Client = api) => {
    const { warnings } = await client.must<Linted>("GET", `zones/${zone}/lint`);
    const covered = warnings.filter(({ code }) => code === "covered_record");
    return covered.map(({ domain, type, message }) => [
      `${domain.replace(`.${zone}`, "")} ${type}`,
      message.split(": ")[1],
    ]);
  };
  const text = { answers: [{ answer: ["text"] }] };
  const address = { answers: [answer(1)] };

  test("at and below a zone of the account, but for its delegation and glue", async () => {
    const zone = await made();
    const sub = `sub.${zone}`;
    await put(sub, "NS", { answers: [{ answer: [`ns.${sub}`] }] });
    await put(sub, "DS", { answers: [{ answer: [1, 13, 2, "00".repeat(32)] }] });
    await put(`ns.${sub}`, "A", address);
    await put(`beside.${zone}`, "A", address);
    await made(sub);
    expect(await found(zone)).toEqual([]);
    await put(sub, "TXT", text);
    await put(`www.${sub}`, "A", address);
    await put(`ns.${sub}`, "TXT", text);
    const why = `the zone ${sub} answers for the name`;
    expect(await found(zone)).toEqual([
      ["ns.sub TXT", why],
      ["sub TXT", why],
      ["www.sub A", why],
    ]);
    expect(await found(sub)).toEqual([]);
  });

  test("below a delegation to other servers, and below a DNAME", async () => {
    const zone = await made();
    await put(`www.cut.${zone}`, "A", address);
    await put(`ns.cut.${zone}`, "A", address);
    await put(`x.old.${zone}`, "TXT", text);
    await put(`cut.${zone}`, "NS", { answers: [{ answer: [`ns.cut.${zone}`] }] });
    await put(`old.${zone}`, "DNAME", { answers: [{ answer: ["new.example.net"] }] });
    await put(`old.${zone}`, "TXT", text);
    expect(await found(zone)).toEqual([
      ["www.cut A", `the NS record at cut.${zone} delegates the name to other servers`],
      ["x.old TXT", `the DNAME record at old.${zone} leads all names below it elsewhere`],
    ]);
  });

  test("unless the zone is on other networks, of another account, or closed to the key", async () => {
    const zone = await made();
    await put(`www.a.${zone}`, "A", address);
    await made(`a.${zone}`, { networks: [] });
    expect(await found(zone)).toEqual([]);
    await api.must("POST", `zones/a.${zone}`, { networks: [0] });
    expect(await found(zone)).toHaveLength(1);
    const limited = await api.limited({ dns: { view_zones: true, zones_deny: [`a.${zone}`] } });
    expect(await found(zone, limited)).toEqual([]);
  });
});

test("records that the caller may not see are not checked", async () => {
  const limited = await api.limited({
    dns: { view_zones: true, records_allow: [{ zone: bad, domain: `never.${bad}`, type: "A" }] },
  });
  const { records, warnings } = await limited.must<Linted>("GET", `zones/${bad}/lint`);
  expect([records, warnings.map(({ code }) => code)]).toEqual([1, ["unreachable_answer"]]);
  expect((await limited.call("GET", `zones/${bad}x/lint`)).status).toBe(404);
  expect((await (await api.limited({ dns: { view_zones: false } })).call("GET", `zones/${bad}/lint`)).status).toBe(403);
});
