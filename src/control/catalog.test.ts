/** The catalogues, and where the first start leaves its key. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../test/api.ts";

const api = await startApi({ apiKey: "a-key-for-automation" });

test("networks are those of the configuration", async () => {
  expect(await api.must("GET", "networks")).toEqual([
    { network_id: 0, name: expect.any(String), label: expect.any(String) },
  ]);
});

test("metadata keys have heading, category and text", async () => {
  const types = await api.must<Record<string, Fields>>("GET", "metatypes");
  for (const key of "up connections requests loadavg pulsar latitude longitude georegion country us_state ca_province note ip_prefixes asn priority weight low_watermark high_watermark subdivisions cost additional_metadata".split(
    " ",
  )) {
    expect(types[key]).toEqual({
      shortdesc: expect.any(String),
      category: expect.any(String),
      desc: expect.any(String),
    });
  }
  expect(types["us_state"]).toMatchObject({ shortdesc: "US State(s)", category: "geographical" });
});

test("places are listed by country", async () => {
  const geo = await api.must<{ countries: string[]; subdivisions: Record<string, string[]> }>("GET", "metatypes/geo");
  expect(geo.countries).toContain("DE");
  expect(geo.subdivisions["BR"]).toContain("SP");
  expect(Object.keys(geo)).toEqual(["subdivisions", "countries"]);
});

test("the first key is the configured one, kept where only its owner reads it", () => {
  const file = join(api.directory, "credentials.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ key: "a-key-for-automation", username: "admin" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(api.key).toBe("a-key-for-automation");
});

test("no secret is in the store as text", async () => {
  const rows = await Promise.all([
    api.store.db.selectFrom("api_key").selectAll().execute(),
    api.store.db.selectFrom("key_claim").selectAll().execute(),
  ]);
  expect(JSON.stringify(rows)).not.toContain(api.key);
});
