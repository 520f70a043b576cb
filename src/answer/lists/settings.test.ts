/** Settings in the form of the image: what a query has to read, whatever the size of lists. */
import { expect, test } from "vitest";
import { stored } from "../../../test/engine/chain.ts";
import { SteeredRrset } from "../chain/steered.ts";
import { emptyAtlas, noFeeds } from "../chain/unknown.ts";
import { filters } from "../filters/index.ts";
import { rrsetOf } from "../image/rrset/rrset.ts";
import type { ImageRecord } from "../image/rrset/source.ts";
import { RrsetView } from "../image/rrset/view.ts";
import { StoredList } from "./list.ts";
import { composeSettings, listKinds, readSettings, unreadKeys } from "./settings.ts";

const chain = ["netfence_prefix", "netfence_asn", "geofence_country"].map((filter) => ({ filter, config: {} }));
const settings = { type: "A", answers: [], meta: {}, regions: {}, filters: chain, use_client_subnet: true };

/** A record with this many prefixes and AS numbers in each of 100 answers. */
const recordWith = (listed: number): ImageRecord => ({
  ...{ zone_id: "zone", domain: "www.example.com", type: "A", ttl: 60 },
  ...{ override_ttl: false, override_address_records: false, filters: chain },
  answers: Array.from({ length: 100 }, (_, answer) => ({
    answer: [`192.0.2.${answer}`],
    meta: {
      ip_prefixes: Array.from({ length: listed }, (_, n) => `${1 + answer}.${n >> 8}.${n & 255}.0/24`),
      asn: Array.from({ length: listed }, (_, n) => 1 + answer * 1000 + n),
    },
  })),
});

test("no filter reads a key that is left out, and the values of lists are lists", () => {
  for (const { id, inputs } of filters.filter(({ id }) => !id.startsWith("puls"))) {
    for (const key of inputs) expect(unreadKeys, id).not.toContain(key);
  }
  const lists = { ip_prefixes: "192.0.2.0/24", asn: "64500", country: "de", us_state: ["ca"], ca_province: "ON" };
  const meta = { ...lists, subdivisions: { de: ["be"] }, additional_metadata: [{ a: 1 }] };
  const read = stored({ ...settings, answers: [{ meta }] }).answers[0]!.meta as Record<string, unknown>;
  expect(Object.keys(read)).toEqual(Object.keys(listKinds));
  for (const value of Object.values(read)) expect(value).toBeInstanceOf(StoredList);
});

test("only metadata that can be read is kept: regions of answers, feeds, numbers, and values that hide others", () => {
  const regions = { used: { meta: { up: "1", note: "x" } }, other: { meta: { up: true } } };
  const answers = [{ meta: { up: { feed: "f" }, weight: "2.5", cost: "none", asn: "x", pulsar: [1] }, region: "used" }];
  expect(
    stored({ ...settings, answers, regions, filters: [...chain, { filter: "up", disabled: true }] }),
  ).toMatchObject({
    answers: [{ meta: { up: { feed: "f" }, weight: 2.5, cost: "", asn: "" }, region: "used" }],
    regions: { used: { meta: { up: 1 } } },
    filters: chain,
  });
});

test("equal lists are kept once", () => {
  const same = Array.from({ length: 100 }, () => ({ meta: { asn: [1, 2, 3] } }));
  const one = composeSettings({ ...settings, answers: same.slice(0, 1), records: [0] });
  const many = composeSettings({ ...settings, answers: same, records: same.map((_, i) => i) });
  const listsOf = (octets: Uint8Array) => octets.length - readSettings(octets, 0, octets.length).listsAt;
  expect(listsOf(many)).toBe(listsOf(one));
});

test("settings of format 1, plain JSON, are still read", () => {
  const octets = new TextEncoder().encode(JSON.stringify({ ...settings, records: [] }));
  const read = readSettings(Uint8Array.of(9, ...octets), 1, octets.length + 1);
  expect(read.settings).toEqual({ ...settings, records: [] });
  expect(read.listsAt).toBe(octets.length + 1);
});

test("a query reads no more of a record with a thousand prefixes and AS numbers in each answer than of one with two", () => {
  const copied = [2, 1000].map((listed) => {
    const view = RrsetView.of(rrsetOf(recordWith(listed))!);
    return new SteeredRrset(view, { live: noFeeds, atlas: emptyAtlas }).octets;
  });
  expect(copied[1]! / copied[0]!).toBeLessThan(1.2);
});
