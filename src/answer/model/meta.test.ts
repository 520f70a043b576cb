/** The metadata tables that are accepted, and the messages of refusals, which name the key. */
import { describe, expect, test } from "vitest";
import { feedsOf, metaKeys, readMeta, readPushed } from "./meta.ts";

describe("accepted, and returned as sent unless null", () => {
  const tables: Record<string, unknown>[] = [
    { up: true },
    { up: 0 },
    { up: "1" },
    { up: "false" },
    { connections: 12, requests: "7", loadavg: 0.5 },
    { loadAvg: 1.25 },
    { latitude: -33.8, longitude: "151.2" },
    { georegion: ["US-EAST", "ASIAPAC"] },
    { georegion: "EUROPE" },
    { country: "US" },
    { country: ["US", "de", "XK"] },
    { us_state: ["CA"], ca_province: ["ON", "QC"] },
    { subdivisions: { BR: ["SP", "SC"], DZ: ["01", "02"] } },
    { note: "fallback:default from:eu__catchall pool:iad" },
    { ip_prefixes: ["192.0.2.0/24", "2001:db8::/32"] },
    { asn: [64496, "64497"] },
    { priority: 1, weight: 12.5, cost: 0, low_watermark: 1, high_watermark: 2 },
    { additional_metadata: [{ any: "thing" }] },
    { pulsar: [{ job_id: "abcdef", bias: "*0.55", a5m_cutoff: 0.9 }] },
    { pulsar: "abcdef" },
    { up: { feed: "5f0000000000000000000000" }, country: { feed: "5f0000000000000000000001" }, weight: 1 },
    {},
  ];
  for (const table of tables) {
    test(JSON.stringify(table), () => expect(readMeta(table, "meta")).toEqual(table));
  }
  test("null is unset", () => expect(readMeta({ up: null, weight: 1 }, "meta")).toEqual({ weight: 1 }));
});

describe("refused with a message that names the key", () => {
  const tables: [table: Record<string, unknown>, message: string][] = [
    [{ nonsense: 1 }, 'meta.nonsense: metadata key "nonsense" is not known'],
    [JSON.parse('{"__proto__": 1}'), 'metadata key "__proto__" is not known'],
    [{ toString: 1 }, 'metadata key "toString" is not known'],
    [{ up: "yes" }, "meta.up must be true or false, 1 or 0"],
    [{ up: { feed: 1 } }, "meta.up must be true or false"],
    [{ up: { feed: "f", more: 1 } }, "meta.up must be true or false"],
    [{ nonsense: { feed: "f" } }, "meta.nonsense"],
    [{ weight: -1 }, "meta.weight must be a number of at least 0"],
    [{ weight: "1e3" }, "meta.weight"],
    [{ priority: 1.5 }, "meta.priority must be a whole number"],
    [{ latitude: 181 }, "meta.latitude must be a number from -180 to 180"],
    [{ country: ["USA"] }, "meta.country"],
    [{ country: ["ZZ"] }, "meta.country"],
    [{ us_state: ["ON"] }, "meta.us_state"],
    [{ subdivisions: { US: ["ON"] } }, "meta.subdivisions"],
    [{ georegion: ["MARS"] }, "meta.georegion"],
    [{ note: "x".repeat(257) }, "meta.note must be text of up to 256 characters"],
    [{ ip_prefixes: ["192.0.2.0/33"] }, "meta.ip_prefixes"],
    [{ ip_prefixes: ["127.1"] }, "meta.ip_prefixes"],
    [{ asn: Array.from({ length: 1001 }, () => 64496) }, "meta.asn"],
    [{ asn: ["AS64496"] }, "meta.asn"],
    [{ additional_metadata: [{}, {}] }, "meta.additional_metadata"],
  ];
  for (const [table, message] of tables) {
    test(JSON.stringify(table).slice(0, 60), () => expect(() => readMeta(table, "meta")).toThrow(message));
  }
});

test("feedsOf has each feed of a table once", () => {
  const subdivisions = { feed: ["01"] };
  expect(feedsOf({ up: { feed: "f" }, weight: { feed: "g" }, cost: { feed: "f" }, priority: 1, subdivisions })).toEqual(
    ["f", "g"],
  );
});

describe("a table pushed to a feed", () => {
  test("keeps keys that are not metadata, and loses keys that are null", () =>
    expect(readPushed({ up: "0", pulse: 1, weight: null }, "label")).toEqual({ up: "0", pulse: 1 }));
  test("is checked for the keys that are metadata", () =>
    expect(() => readPushed({ up: "down" }, "label")).toThrow("label.up must be true or false"));
  test("must not name a feed", () =>
    expect(() => readPushed({ weight: { feed: "f" } }, "")).toThrow("weight must be a number"));
});

test("every key has a heading, a text and a category", () => {
  for (const row of Object.values(metaKeys)) {
    expect(row.shortdesc).not.toBe("");
    expect(row.desc).not.toBe("");
    expect(row.category).not.toBe("");
  }
});
