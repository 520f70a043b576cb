/** The registries, and the file in which the first start stores its key. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Fields, startApi } from "../../../test/service/api.ts";

const api = await startApi({ apiKey: "a-key-for-automation" });

test("networks are those of the configuration", async () => {
  expect(await api.must("GET", "networks")).toEqual([
    { network_id: 0, name: expect.any(String), label: expect.any(String) },
  ]);
});

test("filters are listed by id, with the fields from which forms are built", async () => {
  const types = await api.must<Record<string, Fields>>("GET", "filtertypes");
  const ids =
    "up shed_load geofence_country geofence_regional netfence_asn netfence_prefix geotarget_country geotarget_regional geotarget_latlong shuffle weighted_shuffle sticky sticky_region weighted_sticky priority cost ipv4_prefix_shuffle parse_ipv4 select_first_region select_first_n pulsar pulse pulsar_performance_sort pulsar_performance_stabilize pulsar_availability_sort pulsar_availability_threshold additional_metadata";
  expect(Object.keys(types)).toEqual(ids.split(" "));
  const N = {
    ...{ desc: expect.any(String), type: "number", shortdesc: expect.any(String), validator: "number" },
    ...{ required: false, default: "1" },
  };
  const words = { shortdesc: expect.any(String), desc: expect.any(String) };
  expect(types["select_first_n"]).toEqual({ ...words, tier: 2, inputs: [], config: { N } });
  expect(types["ipv4_prefix_shuffle"]).toEqual({
    ...words,
    ...{ tier: 3, inputs: ["ip_prefixes"], config: { N }, rectypes: ["A"] },
  });
  expect(types["geofence_country"]).toMatchObject({
    inputs: ["country", "us_state", "ca_province", "subdivisions"],
    config: { remove_no_location: { type: "checkbox", validator: "checkbox", default: "0" } },
  });
  expect(types["shed_load"]).toMatchObject({ config: { metric: { required: true, default: "loadavg" } } });
  expect(types["parse_ipv4"]).toMatchObject({ config: { separator: { type: "domain_separator", default: "-" } } });
});

test("edition ddi also has the dhcp filter, and accepts it in records", async () => {
  const ddi = await startApi({ edition: "ddi" });
  expect(await ddi.must("GET", "filtertypes")).toMatchObject({ dhcp: { tier: 2, inputs: [] } });
  await ddi.must("PUT", "zones/example.com", { zone: "example.com" });
  const filters = [{ filter: "dhcp", config: { scope_group_id: 7 } }];
  const record = await ddi.must("PUT", "zones/example.com/www.example.com/A", { answers: [], filters });
  expect(record).toMatchObject({ filters, tier: 2 });
});

test("metadata keys have heading, category and text", async () => {
  const types = await api.must<Record<string, Fields>>("GET", "metatypes");
  for (const key of "up connections requests loadavg pulsar latitude longitude georegion country us_state ca_province note ip_prefixes asn priority weight low_watermark high_watermark subdivisions cost additional_metadata".split(
    " ",
  )) {
    expect(types[key]).toMatchObject({
      shortdesc: expect.any(String),
      category: expect.any(String),
      desc: expect.any(String),
      says: expect.any(String),
    });
  }
  const words: Record<string, [shortdesc: string, category: string]> = {
    ...{
      up: ["Up/down", "status"],
      connections: ["Active connections", "status"],
      requests: ["Active requests", "status"],
    },
    ...{ loadavg: ["Load average", "status"], pulsar: ["Pulsar job", "status"], note: ["Notes", "informational"] },
    ...{ latitude: ["Latitude", "geographical"], longitude: ["Longitude", "geographical"] },
    ...{ georegion: ["Geographic region(s)", "geographical"], country: ["Country/countries", "geographical"] },
    ...{ us_state: ["US State(s)", "geographical"], ca_province: ["Canadian province(s)", "geographical"] },
    ...{ ip_prefixes: ["IP Prefix List", "network"], asn: ["AS Number(s)", "network"] },
    ...{ priority: ["Priority tier value", "traffic_parameters"], weight: ["Answer weight", "traffic_parameters"] },
    ...{
      low_watermark: ["Low watermark", "traffic_parameters"],
      high_watermark: ["High watermark", "traffic_parameters"],
    },
  };
  for (const [key, [shortdesc, category]] of Object.entries(words))
    expect(types[key]).toMatchObject({ shortdesc, category });
});

test("places are listed by country", async () => {
  const geo = await api.must<{ countries: string[]; subdivisions: Record<string, string[]> }>("GET", "metatypes/geo");
  expect(geo.countries).toContain("DE");
  expect(geo.subdivisions["BR"]).toContain("SP");
  expect(Object.keys(geo)).toEqual(["subdivisions", "countries"]);
});

test("the first key is the configured one, in a file that only its owner can read", () => {
  const file = join(api.directory, "credentials.json");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ key: "a-key-for-automation", username: "admin" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(api.key).toBe("a-key-for-automation");
});

test("the store contains no secret in plain text", async () => {
  const rows = await Promise.all([
    api.store.db.selectFrom("api_key").selectAll().execute(),
    api.store.db.selectFrom("key_claim").selectAll().execute(),
  ]);
  expect(JSON.stringify(rows)).not.toContain(api.key);
});

test("record types are listed with the fields of their answers, without those that the service makes", async () => {
  const types = await api.must<Record<string, Fields>>("GET", "recordtypes");
  expect(types["MX"]).toEqual({
    code: 15,
    fields: [
      { name: "preference", takes: "one", type: "number", minimum: 0, maximum: 65535 },
      { name: "exchange", takes: "one", type: "name" },
    ],
  });
  expect(types["TXT"]).toEqual({ code: 16, fields: [{ name: "text", takes: "rest", type: "text" }] });
  expect(types["URLFWD"]).toMatchObject({
    fields: expect.arrayContaining([expect.objectContaining({ choices: [301, 302] })]),
  });
  expect(Object.keys(types)).not.toContain("DNSKEY");
});

test("metadata keys say how a form asks for a value", async () => {
  const types = await api.must<Record<string, Fields>>("GET", "metatypes");
  expect(types["up"]).toMatchObject({ type: "checkbox", many: false });
  expect(types["weight"]).toMatchObject({ type: "number", many: false });
  expect(types["georegion"]).toMatchObject({ type: "select", many: true, choices: expect.arrayContaining(["EUROPE"]) });
  expect(types["subdivisions"]).toMatchObject({ type: "json" });
});
