/** The client subnet option (RFC 7871): the address whose facts are used, and the scope of the answer. */
import { describe, expect, test } from "vitest";
import { parseAnswer, queryOf, steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import { option } from "../../../test/scenarios/packet.ts";
import type { Locate } from "../filters/contract/client.ts";
import type { ImageRecord } from "../image/rrset/source.ts";

const zone = "example.com";
const nothing = { subdivision: undefined, georegion: undefined, latitude: undefined, longitude: undefined };

/** 20.0.0.0/8 is DE, 30.1.0.0/16 is FR in AS 64500, 2001:db8::/32 is JP; other addresses are unknown, which depends on 6 bits. */
const locate: Locate = (octets, at, length) => {
  const place = (country: string | undefined, asn: number | undefined, bits: number) => ({
    ...nothing,
    country,
    asn,
    lengths: { country: bits, subdivision: bits, georegion: bits, asn: bits + 3, coordinates: bits },
  });
  if (length === 16) return place(octets[at] === 0x20 && octets[at + 1] === 1 ? "JP" : undefined, undefined, 32);
  if (octets[at] === 20) return place("DE", undefined, 8);
  if (octets[at] === 30 && octets[at + 1] === 1) return place("FR", 64500, 16);
  return place(undefined, undefined, 6);
};

const fence = [
  { filter: "geofence_country", config: { remove_no_location: true } },
  { filter: "select_first_n", config: {} },
];
const countries = ["DE", "FR", "JP"].map((code, i) => ({ answer: [`192.0.2.${i + 1}`], meta: { country: [code] } }));
const byCountry = { type: "A", filters: fence, answers: [...countries, { answer: ["192.0.2.9"] }] };

function imageOf(
  records: readonly (Partial<ImageRecord> & Pick<ImageRecord, "type" | "answers">)[],
  lines: string[] = [],
) {
  const image = new TestImage({ locate }).put(zone, ["@ 300 NS ns1.example.com.", ...lines]);
  for (const record of records) image.writer.putRecord(steeredRecord(zone, { filters: fence, ...record }));
  image.writer.commit();
  return image;
}

const v4 = (bits: number, ...octets: number[]) => [0, 1, bits, 0, ...octets];
const v6 = (bits: number, ...octets: number[]) => [0, 2, bits, 0, ...octets];

/** Last octet of the answers, and the scope; undefined when the reply has no client subnet option. */
function ask(image: TestImage, ecs: number[] | undefined, from = [198, 51, 100, 1], name = `www.${zone}.`) {
  const packet = queryOf({ name, type: "A", edns: 1232, options: ecs ? option(8, ecs) : [] });
  const family = from.length === 4 ? 4 : 6;
  const answer = parseAnswer(image.send(packet, "udp", { family, address: Uint8Array.from(from), port: 53 })!);
  expect(image.faults).toEqual([]);
  const data = answer.opt!.data;
  if (ecs)
    expect([...data.slice(0, 7), ...data.slice(8)]).toEqual([0, 8, 0, ecs.length, ...ecs.slice(0, 3), ...ecs.slice(4)]);
  else expect(data).toHaveLength(0);
  const given = answer.answer.filter((line) => line.includes(" A ")).map((line) => Number(line.split(".").at(-1)));
  return { given, scope: ecs ? data[7] : undefined };
}

describe("the client is", () => {
  const image = imageOf([byCountry]);
  const cases: [says: string, ecs: number[] | undefined, from: number[], given: number, scope: number | undefined][] = [
    ["the sender of the packet, without the option", undefined, [20, 1, 2, 3], 1, undefined],
    ["the network in the option", v4(24, 20, 1, 2), [30, 1, 2, 3], 1, 8],
    ["the network, even if it is larger than the prefixes of its facts", v4(4, 16), [30, 1, 2, 3], 9, 6],
    ["one address", v4(32, 30, 1, 2, 3), [20, 1, 1, 1], 2, 16],
    ["the sender of the packet, with a prefix length of 0", v4(0), [20, 1, 2, 3], 1, 0],
    ["the sender of the packet, with an option without a family", [0, 0, 0, 0], [30, 1, 2, 3], 2, 0],
    ["an IPv6 network", v6(56, 0x20, 1, 0xd, 0xb8, 0, 0, 0), [20, 1, 2, 3], 3, 32],
    [
      "the IPv6 sender of the packet",
      undefined,
      [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
      3,
      undefined,
    ],
    ["in an unknown place, with the scope of that fact", v4(24, 99, 1, 2), [20, 1, 2, 3], 9, 6],
  ];
  test.each(cases)("%s", (_says, ecs, from, given, scope) => {
    expect(ask(image, ecs, from)).toEqual({ given: [given], scope });
  });
});

describe("the scope is", () => {
  const up = [
    { filter: "up", config: {} },
    { filter: "select_first_n", config: {} },
  ];
  const answers = [{ answer: ["192.0.2.1"], meta: { up: true } }];

  test("0 without steering, and if no fact about the client was read", () => {
    const image = imageOf([{ type: "A", answers, filters: up }], ["plain 60 A 192.0.2.7"]);
    expect(ask(image, v4(24, 20, 1, 2), undefined)).toEqual({ given: [1], scope: 0 });
    expect(ask(image, v4(24, 20, 1, 2), undefined, `plain.${zone}.`)).toEqual({ given: [7], scope: 0 });
    expect(ask(image, v4(24, 20, 1, 2), undefined, `no.${zone}.`)).toEqual({ given: [], scope: 0 });
  });

  test("0 if the record does not use the subnet, and then the sender of the packet is the client", () => {
    const image = imageOf([{ ...byCountry, use_client_subnet: false }]);
    expect(ask(image, v4(24, 30, 1, 2), [20, 1, 2, 3])).toEqual({ given: [1], scope: 0 });
  });

  test("independent of the previous answer", () => {
    const image = imageOf([byCountry], ["plain 60 A 192.0.2.7"]);
    expect(ask(image, v4(24, 30, 1, 2)).scope).toBe(16);
    expect(ask(image, v4(24, 30, 1, 2), undefined, `plain.${zone}.`).scope).toBe(0);
  });

  test("the longest in a CNAME chain, even if one record does not use the subnet", () => {
    const cname = (domain: string, target: string, more: object = {}) => ({
      type: "CNAME",
      domain: `${domain}.${zone}`,
      answers: [{ answer: [`${target}.${zone}.`], meta: { asn: [64500], country: ["FR"] } }],
      ...more,
    });
    const byAsn = { filters: [{ filter: "netfence_asn", config: {} }] };
    const image = imageOf([byCountry, cname("a", "b", byAsn), cname("b", "www", { use_client_subnet: false })]);
    const fr = [30, 1, 9, 9];
    expect(ask(image, v4(24, 30, 1, 2), fr, `a.${zone}.`)).toEqual({ given: [2], scope: 19 });
    expect(ask(image, v4(24, 30, 1, 2), fr, `b.${zone}.`)).toEqual({ given: [2], scope: 16 });
  });

  test("as long as the prefix that decided, for a match and for a miss", () => {
    const filters = [{ filter: "netfence_prefix", config: { remove_no_ip_prefixes: true } }];
    const prefixes = ["20.0.0.0/9", "30.1.2.0/28", "2001:db8::/32"];
    const image = imageOf([
      {
        type: "A",
        filters,
        answers: [{ answer: ["192.0.2.1"], meta: { ip_prefixes: prefixes } }, { answer: ["192.0.2.2"] }],
      },
    ]);
    expect(ask(image, v4(24, 20, 1, 2))).toEqual({ given: [1], scope: 9 });
    expect(ask(image, v4(24, 20, 200, 2))).toEqual({ given: [2], scope: 9 });
    expect(ask(image, v4(24, 30, 1, 2))).toEqual({ given: [1], scope: 28 });
    expect(ask(image, v4(24, 200, 1, 2))).toEqual({ given: [2], scope: 1 });
    expect(ask(image, v6(32, 0x20, 1, 0xd, 0xb8))).toEqual({ given: [1], scope: 32 });
  });

  test("0 for an IPv6 client and IPv4 prefixes", () => {
    const filters = [{ filter: "netfence_prefix", config: {} }];
    const image = imageOf([
      { type: "A", filters, answers: [{ answer: ["192.0.2.1"], meta: { ip_prefixes: ["20.0.0.0/9"] } }] },
    ]);
    expect(ask(image, v6(56, 0x20, 1, 0xd, 0xb8, 0, 0, 0))).toEqual({ given: [], scope: 0 });
  });

  test("set for an empty answer too, and for addresses in the additional section", () => {
    const only = { type: "A", filters: fence, answers: countries };
    const image = imageOf([only], ["mail 60 MX 10 www"]);
    expect(ask(image, v4(24, 99, 1, 2))).toEqual({ given: [], scope: 6 });
    const packet = queryOf({ name: `mail.${zone}.`, type: "MX", edns: 1232, options: option(8, v4(24, 20, 1, 2)) });
    const { additional, opt } = parseAnswer(image.send(packet)!);
    expect(additional).toEqual(["www.example.com. 60 A 192.0.2.1"]);
    expect(opt!.data[7]).toBe(8);
  });
});

test("a malformed option is answered with FORMERR", () => {
  const image = imageOf([byCountry]);
  const packet = queryOf({ name: `www.${zone}.`, type: "A", edns: 1232, options: option(8, v4(24, 20, 1, 2, 3)) });
  expect(parseAnswer(image.send(packet)!)).toMatchObject({ rcode: "FORMERR", answer: [] });
});
