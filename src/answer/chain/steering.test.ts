/** Steered records: which of them are in an answer, and where they may be. */
import { describe, expect, test } from "vitest";
import { steeredRecord, TestImage } from "../../../test/scenarios/image.ts";
import type { ImageRecord } from "../image/rrset/source.ts";

const zone = "example.com";
const upFirst = [
  { filter: "up", config: {} },
  { filter: "select_first_n", config: {} },
];
const down = { up: false };
const up = { up: true };

function imageOf(
  records: readonly (Partial<ImageRecord> & Pick<ImageRecord, "type" | "answers">)[],
  lines: string[] = [],
) {
  const image = new TestImage().put(zone, ["@ 300 NS ns1.example.com.", ...lines]);
  for (const record of records) image.writer.putRecord(steeredRecord(zone, { filters: upFirst, ...record }));
  image.writer.commit();
  return image;
}

const a = (octet: number, meta?: object) => ({ answer: [`192.0.2.${octet}`], meta });

describe("a steered record", () => {
  test("is answered with the records that its chain selects, with its TTL", () => {
    const answers = [a(1, down), a(2, up), a(3, up)];
    const image = imageOf([
      { type: "A", answers },
      { type: "A", domain: `all.${zone}`, answers, filters: upFirst.slice(0, 1) },
    ]);
    expect(image.ask(`www.${zone}. A`).answer).toEqual(["www.example.com. 60 A 192.0.2.2"]);
    expect(image.ask(`all.${zone}. A`).answer.map((line) => line.split(" ")[3])).toEqual(["192.0.2.2", "192.0.2.3"]);
  });

  test("is answered with each RDATA once, even if several answers share it", () => {
    const answers = [a(1, up), a(2, up), a(1, up)];
    const image = imageOf([{ type: "A", answers, filters: upFirst.slice(0, 1) }]);
    expect(image.ask(`www.${zone}. A`).answer).toHaveLength(2);
  });

  test("is answered with all its answers if all filters are disabled; a disabled filter has no effect", () => {
    const answers = [a(1, down), a(2, up)];
    const disabled = upFirst.map((filter) => ({ ...filter, disabled: true }));
    const image = imageOf([
      { type: "A", answers, filters: disabled },
      { type: "A", domain: `some.${zone}`, answers, filters: [upFirst[0], disabled[1]] },
    ]);
    expect(image.ask(`www.${zone}. A`).answer).toHaveLength(2);
    expect(image.ask(`some.${zone}. A`).answer).toEqual(["some.example.com. 60 A 192.0.2.2"]);
  });

  test("is answered with an address that a filter made, even if that is the only answer", () => {
    const prefix = { ip_prefixes: ["198.51.100.7/32"] };
    const shuffle = { filter: "ipv4_prefix_shuffle", config: {} };
    const parse = { filter: "parse_ipv4", config: {} };
    const fence = { filter: "geofence_country", config: {} };
    const image = imageOf([
      { type: "A", answers: [a(1, prefix)], filters: [shuffle] },
      { type: "A", domain: `*.${zone}`, answers: [a(1, { country: ["DE"] })], filters: [parse, fence] },
    ]);
    expect(image.ask(`www.${zone}. A`).answer).toEqual(["www.example.com. 60 A 198.51.100.7"]);
    expect(image.ask(`198-51-100-8.${zone}. A`).answer).toEqual(["198-51-100-8.example.com. 60 A 198.51.100.8"]);
  });

  test("is answered with NODATA and the SOA record if its chain selects nothing", () => {
    const image = imageOf([{ type: "A", answers: [a(1, down)], all_down: { policy: "nothing" } }]);
    const answer = image.ask(`www.${zone}. A`);
    expect(answer).toMatchObject({ rcode: "NOERROR", flags: ["aa"], answer: [] });
    expect(answer.authority).toHaveLength(1);
    expect(answer.authority[0]).toContain("SOA");
  });

  test("changes with its settings, even if its memory is reused", () => {
    const image = imageOf([{ type: "A", answers: [a(1, up), a(2, down)] }]);
    for (let round = 0; round < 300; round++) {
      const first = round % 2 === 0;
      const answers = [a(1, { up: !first }), a(2, { up: first })];
      image.writer.putRecord(steeredRecord(zone, { type: "A", answers, filters: upFirst }));
      image.writer.commit();
      expect(image.ask(`www.${zone}. A`).answer).toEqual([`www.example.com. 60 A 192.0.2.${first ? 2 : 1}`]);
    }
  });

  test("is answered the same after a record of another type at its name changes", () => {
    const image = imageOf([{ type: "A", answers: [a(1, down), a(2, up)] }]);
    for (let round = 0; round < 50; round++) {
      image.put(zone, [`www 60 TXT "${round}"`]);
      expect(image.ask(`www.${zone}. A`).answer).toEqual(["www.example.com. 60 A 192.0.2.2"]);
    }
  });
});

describe("a steered record may be", () => {
  test("at a wildcard", () => {
    const image = imageOf([{ type: "A", domain: `*.${zone}`, answers: [a(1, down), a(2, up)] }]);
    expect(image.ask(`any.thing.${zone}. A`).answer).toEqual(["any.thing.example.com. 60 A 192.0.2.2"]);
  });

  test("a CNAME, whose selected target is followed", () => {
    const answers = [
      { answer: ["down.example.com."], meta: down },
      { answer: ["up.example.com."], meta: up },
    ];
    const image = imageOf([{ type: "CNAME", answers }], ["up 30 A 192.0.2.9", "down 30 A 192.0.2.8"]);
    expect(image.ask(`www.${zone}. A`).answer).toEqual([
      "www.example.com. 60 CNAME up.example.com.",
      "up.example.com. 30 A 192.0.2.9",
    ]);
  });

  test("the target of a CNAME or an ALIAS", () => {
    const answers = [a(1, down), a(2, up)];
    const image = imageOf([{ type: "A", answers }], ["c 30 CNAME www", "alias 300 ALIAS www"]);
    expect(image.ask(`c.${zone}. A`).answer[1]).toBe("www.example.com. 60 A 192.0.2.2");
    expect(image.ask(`alias.${zone}. A`).answer).toEqual(["alias.example.com. 60 A 192.0.2.2"]);
  });

  test("an ALIAS", () => {
    const answers = [
      { answer: ["one.example.com."], meta: down },
      { answer: ["two.example.com."], meta: up },
    ];
    const image = imageOf([{ type: "ALIAS", answers }], ["one 30 A 192.0.2.1", "two 30 A 192.0.2.2"]);
    expect(image.ask(`www.${zone}. A`).answer).toEqual(["www.example.com. 30 A 192.0.2.2"]);
  });

  test("a DNAME", () => {
    const answers = [
      { answer: ["one.example.com."], meta: down },
      { answer: ["two.example.com."], meta: up },
    ];
    const image = imageOf([{ type: "DNAME", answers }], ["x.two 30 A 192.0.2.2"]);
    expect(image.ask(`x.www.${zone}. A`).answer).toEqual([
      "www.example.com. 60 DNAME two.example.com.",
      "x.www.example.com. 60 CNAME x.two.example.com.",
      "x.two.example.com. 30 A 192.0.2.2",
    ]);
  });

  test("an MX record, with the addresses of the selected host", () => {
    const answers = [
      { answer: [10, "one.example.com."], meta: down },
      { answer: [20, "two.example.com."], meta: up },
    ];
    const image = imageOf([{ type: "MX", answers }], ["one 30 A 192.0.2.1", "two 30 A 192.0.2.2"]);
    const { answer, additional } = image.ask(`www.${zone}. MX`);
    expect(answer).toEqual(["www.example.com. 60 MX 20 two.example.com."]);
    expect(additional).toEqual(["two.example.com. 30 A 192.0.2.2"]);
  });

  test("at the host of an MX record: only selected addresses are added", () => {
    const nothing = { all_down: { policy: "nothing" } };
    const image = imageOf(
      [
        { type: "A", domain: `one.${zone}`, answers: [a(1, down), a(2, up)] },
        { type: "A", domain: `two.${zone}`, answers: [a(3, down)], ...nothing },
      ],
      ["mail 60 MX 10 one", "mail 60 MX 20 two"],
    );
    const { answer, additional } = image.ask(`mail.${zone}. MX`);
    expect(answer).toHaveLength(2);
    expect(additional).toEqual(["one.example.com. 60 A 192.0.2.2"]);
  });

  test("at a zone cut: the referral has all name servers", () => {
    const answers = [
      { answer: ["ns1.sub.example.com."], meta: down },
      { answer: ["ns2.sub.example.com."], meta: up },
    ];
    const image = imageOf(
      [{ type: "NS", domain: `sub.${zone}`, answers }],
      ["ns1.sub 30 A 192.0.2.1", "ns2.sub 30 A 192.0.2.2"],
    );
    const { authority, additional, rcode } = image.ask(`x.sub.${zone}. A`);
    expect([rcode, authority.length, additional.length]).toEqual(["NOERROR", 2, 2]);
  });

  test("glue: the referral has all addresses", () => {
    const image = imageOf(
      [{ type: "A", domain: `ns.sub.${zone}`, answers: [a(1, down), a(2, up)], all_down: { policy: "nothing" } }],
      ["sub 60 NS ns.sub"],
    );
    const { additional } = image.ask(`x.sub.${zone}. A`);
    expect(additional).toHaveLength(2);
  });

  test("the answer to ANY", () => {
    const image = imageOf([{ type: "A", answers: [a(1, down), a(2, up)] }]);
    expect(image.ask(`www.${zone}. ANY`).answer).toEqual(["www.example.com. 60 A 192.0.2.2"]);
  });

  test("the end of a CNAME chain, even if it selects no record", () => {
    const image = imageOf([{ type: "A", answers: [a(1, down)], all_down: { policy: "nothing" } }], ["c 30 CNAME www"]);
    const { rcode, answer, authority } = image.ask(`c.${zone}. A`);
    expect([rcode, answer.length, authority.length]).toEqual(["NOERROR", 1, 1]);
  });
});
