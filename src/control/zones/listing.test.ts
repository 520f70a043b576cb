/** Pages of a zone's records in the replies to writes. */
import { describe, expect, test } from "vitest";
import { type Answer, type Fields, startApi } from "../../../test/service/api.ts";
import { nextPath } from "../../../test/service/client.ts";

const api = await startApi();
const zone = "large.example";
const page = 2500;
const file = `$TTL 300\n@ SOA ns.${zone}. host.${zone}. 1 2 3 4 5\n$GENERATE 1-2600 h$ A 192.0.2.1\n`;
const imported = await api.call("PUT", `import/zonefile/${zone}`, file);

type Listed = Answer<Fields & { records: Fields[] }>;

/** Checks that a reply has the first page, and that its link leads to the other records. */
async function expectFirstPage({ status, headers, body }: Listed): Promise<void> {
  expect([status, body.records.length, headers.get("x-total-count")]).toEqual([200, page, "2601"]);
  expect(headers.get("link")).toMatch(new RegExp(`^<${api.url}/v1/zones/${zone}\\?after=[^&>]+>; rel="next"$`));
  const rest: Listed = await api.call("GET", nextPath(headers)!);
  const whole = [...body.records, ...rest.body.records];
  expect([rest.headers.get("link"), new Set(whole.map(({ domain, type }) => `${domain} ${type}`)).size]).toEqual([
    null,
    2601,
  ]);
}

describe("the first page of records, with a link to the next one, is in the reply to", () => {
  test("an import", () => expectFirstPage(imported as Listed));

  test("a change of a zone; a repeat has the link, and is too large for the records", async () => {
    const change = () => api.call("POST", `zones/${zone}?strict=true`, { ttl: 60 }, { "Idempotency-Key": "change" });
    const first = (await change()) as Listed;
    await expectFirstPage(first);
    const again = await change();
    const shown = ["idempotency-replayed", "link", "x-total-count"].map((name) => again.headers.get(name));
    expect([again.status, ...shown]).toEqual([200, "true", first.headers.get("link"), "2601"]);
    expect(again.body).toEqual({ message: expect.stringContaining("the request was done before") });
  });

  test("a change without effect", async () => expectFirstPage(await api.call("POST", `zones/${zone}`, {})));
});

test("the reply to the creation of a zone has the number of its records, and no link", async () => {
  const { headers } = await api.call("PUT", "zones/small.example", {});
  expect([headers.get("link"), headers.get("x-total-count")]).toEqual([null, "1"]);
});

test("the reply to a change has the records that the key may see, and no number of all", async () => {
  const rule = { zone, domain: `h2599.${zone}`, include_subdomains: false, type: "A" };
  const dns = { view_zones: true, manage_zones: true, zones_allow_by_default: true, zones_allow: [], zones_deny: [] };
  const limited = await api.limited({ dns: { ...dns, records_deny: [rule] } });
  const { status, headers, body } = (await limited.call("GET", `zones/${zone}`)) as Listed;
  expect([status, body.records.length, headers.get("x-total-count")]).toEqual([200, page, null]);
});
