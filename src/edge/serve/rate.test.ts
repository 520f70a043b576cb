/** Rate limits: the number of answers to the clients of a prefix. */
import { describe, expect, test } from "vitest";
import { alternating, seededRandom } from "../../../test/machine/random.ts";
import { parseAnswer, queryOf, TestImage } from "../../../test/scenarios/image.ts";
import { addressOctets, familyOf } from "../../net/socket/address.ts";
import { answerKind, makeRateTable, noLimits, RateLimiter, type RateLimits } from "./rate.ts";

const client = (address: string) => ({ family: familyOf(address), address: addressOctets(address), port: 4096 });
const prefix = (address: string, bits: number) => ({ address: addressOctets(address), bits });

function limiter(limits: Partial<RateLimits>, table = makeRateTable(7)) {
  const made = new RateLimiter(table, { answers: 10, equal: 0, errors: 5, exempt: [], ...limits }, alternating());
  made.now = 1_000_000;
  return made;
}

const sent = (rate: RateLimiter, address: string, count: number, kind: 0 | 1 | 2 = answerKind.answer, zone = 0) =>
  sentFor(rate, address, count, 1, kind, zone);

/** The answers that are sent to `count` queries for the same name and type. */
const sentFor = (rate: RateLimiter, address: string, count: number, question: number, kind: 0 | 1 | 2 = 0, zone = 0) =>
  Array.from({ length: count }, () => rate.admit(client(address), kind, zone, question)).filter(
    (what) => what === "send",
  ).length;

test("a prefix gets the answers of one second at once, then as many as its rate", () => {
  const rate = limiter({});
  expect(sent(rate, "192.0.2.1", 30)).toBe(10);
  expect(sent(rate, "192.0.2.200", 30)).toBe(0);
  rate.now += 500;
  expect(sent(rate, "192.0.2.1", 30)).toBe(5);
  rate.now += 60_000;
  expect(sent(rate, "192.0.2.1", 30)).toBe(10);
});

test("prefixes and kinds of answers have their own credit", () => {
  const rate = limiter({});
  expect(sent(rate, "192.0.2.1", 30)).toBe(10);
  expect(sent(rate, "192.0.2.1", 30, answerKind.denial)).toBe(10);
  expect(sent(rate, "192.0.2.1", 30, answerKind.error)).toBe(5);
  expect(sent(rate, "192.0.3.1", 30)).toBe(10);
  expect(sent(rate, "2001:db8::1", 30)).toBe(10);
  expect(sent(rate, "2001:db8:0:ff::1", 30)).toBe(0);
  expect(sent(rate, "2001:db8:0:100::1", 30)).toBe(10);
});

test("each zone's denials have their own credit", () => {
  const rate = limiter({});
  for (const zone of [7, 8, 1 << 20]) {
    expect(sent(rate, "192.0.2.1", 30, answerKind.denial, zone)).toBe(10);
    expect(sent(rate, "192.0.2.200", 30, answerKind.denial, zone)).toBe(0);
  }
});

test("beyond the limit, half of the answers are sent truncated, and errors are dropped", () => {
  const rate = limiter({ answers: 1, errors: 1 });
  const over = (kind: 0 | 1 | 2) => Array.from({ length: 5 }, () => rate.admit(client("192.0.2.1"), kind, 0, 1));
  expect(over(answerKind.answer)).toEqual(["send", "drop", "slip", "drop", "slip"]);
  expect(over(answerKind.error)).toEqual(["send", "drop", "drop", "drop", "drop"]);
});

test("which answers are truncated is drawn", () => {
  const rate = new RateLimiter(makeRateTable(7), { ...noLimits, answers: 1 }, seededRandom(1));
  rate.now = 1_000_000;
  const all = Array.from({ length: 1001 }, () => rate.admit(client("192.0.2.1"), answerKind.answer, 0, 1)).slice(1);
  expect(Math.abs(all.filter((what) => what === "slip").length - 500)).toBeLessThan(60);
  expect(all.filter((what, at) => what === all[at + 1]).length).toBeGreaterThan(300);
});

test("0 means no limit, and exempt prefixes have no limit", () => {
  expect(sent(limiter({ answers: 0 }), "192.0.2.1", 1000)).toBe(1000);
  const rate = limiter({ exempt: [prefix("192.0.2.128", 25), prefix("2001:db8::", 32)] });
  expect(sent(rate, "192.0.2.129", 100)).toBe(100);
  expect(sent(rate, "2001:db8:5::1", 100)).toBe(100);
  expect(sent(rate, "192.0.2.1", 100)).toBe(10);
});

test("workers share the credit of a prefix", () => {
  const table = makeRateTable(7);
  expect(sent(limiter({}, table), "192.0.2.1", 6)).toBe(6);
  expect(sent(limiter({}, table), "192.0.2.1", 6)).toBe(4);
});

test("a flood from 200,000 prefixes does not restore the credit that another prefix has used up", () => {
  const rate = limiter({});
  expect(sent(rate, "192.0.2.1", 100)).toBe(10);
  for (let i = 0; i < 200_000; i++) {
    rate.admit({ family: 4, address: Uint8Array.of(10 + (i >>> 16), i >>> 8, i, 1), port: 1 }, answerKind.answer, 0, 1);
    if (i % 100 === 0) expect(sent(rate, "192.0.2.1", 1)).toBe(0);
  }
});

test("equal answers have their own credit: by network, name and type, and whether it is a denial", () => {
  const rate = limiter({ answers: 0, equal: 200 });
  expect(sentFor(rate, "192.0.2.1", 500, 1)).toBe(200);
  expect(sentFor(rate, "192.0.2.77", 500, 1)).toBe(0);
  expect(sentFor(rate, "192.0.2.1", 500, 2)).toBe(200);
  expect(sentFor(rate, "192.0.2.1", 500, 1, answerKind.denial, 7)).toBe(200);
  expect(sentFor(rate, "192.0.3.1", 500, 1)).toBe(200);
  // half of those beyond the limit are truncated
  const beyond = Array.from({ length: 100 }, () => rate.admit(client("192.0.2.1"), answerKind.answer, 0, 1));
  expect(beyond.filter((what) => what === "slip")).toHaveLength(50);
  rate.now += 1000;
  expect(sentFor(rate, "192.0.2.1", 500, 1)).toBe(200);
});

test("a limit for all answers holds beside that for equal ones", () => {
  const rate = limiter({ answers: 500, equal: 250 });
  expect([1, 2, 3].map((question) => sentFor(rate, "192.0.2.1", 500, question))).toEqual([250, 250, 0]);
});

test("a resolver that asks for 5,000 names a second loses no answer, whatever others ask", () => {
  const rate = limiter({ answers: 0, equal: 200 });
  let lost = 0;
  const ask = (address: string, question: number, kind: 0 | 1 = answerKind.answer) =>
    rate.admit(client(address), kind, 7, question) === "send" ? 0 : 1;
  for (let second = 0; second < 5; second++) {
    for (let at = 0; at < 5000; at++) {
      if (at % 5 === 0) rate.now++;
      lost += ask("192.0.2.1", Math.imul(at + 1, 0x9e3779b1), at % 2 === 0 ? 0 : 1);
      for (let other = 0; other < 10; other++) ask("198.51.100.1", Math.imul(at * 10 + other, 0x85ebca6b));
    }
  }
  expect(lost).toBe(0);
});

describe("in answers", () => {
  const zone = "limited.example";
  function limitedImage(exempt: RateLimits["exempt"] = []) {
    const rate = limiter({ answers: 0, equal: 4, errors: 0, exempt });
    const lines = [
      ...["www 60 A 192.0.2.1", "www 60 TXT text", "alias 60 CNAME www", "*.wild 60 A 192.0.2.2", "*.wild 60 TXT text"],
      ...[
        "*.other 60 CNAME www",
        "wild 60 A 192.0.2.3",
        "dname 60 DNAME wild",
        "cut 60 NS ns.cut",
        "ns.cut 60 A 192.0.2.4",
      ],
    ];
    return new TestImage({ limiter: rate }).put(zone, lines).put("other.example", ["www 60 A 192.0.2.1"]);
  }

  /** The flags of the answers to equal questions; undefined for those that are not sent. */
  const flags = (image: TestImage, name: string, type: string, transport: "udp" | "tcp" = "udp") =>
    Array.from({ length: 7 }, () => {
      const octets = image.send(queryOf({ name, type }), transport);
      return octets && parseAnswer(octets).flags.join();
    });
  const limitedTo4 = ["aa", "aa", "aa", "aa", undefined, "tc", undefined];

  test("the same name and type are limited, in any case of the letters, and other names and types are not", () => {
    const image = limitedImage();
    expect(flags(image, "www.limited.example", "A")).toEqual(limitedTo4);
    expect(flags(image, "WWW.limited.example", "A")).not.toContain("aa");
    for (const [name, type] of [
      ["www.limited.example", "TXT"],
      ["alias.limited.example", "A"],
      ["a.wild.limited.example", "A"],
      ["limited.example", "SOA"],
      ["none.limited.example", "A"],
      ["www.limited.example", "MX"],
      ["www.other.example", "A"],
    ] as const) {
      expect(flags(image, name, type).filter((each) => each === "aa")).toHaveLength(4);
    }
  });

  test.each([
    ["names under a wildcard", "wild", "A"],
    ["names under a wildcard with a CNAME", "other", "A"],
    ["names under a DNAME", "dname", "A"],
  ])("%s share one credit for each type", (_, below, type) => {
    const image = limitedImage();
    const sentTo = (name: string, asked: string) =>
      image.send(queryOf({ name: `${name}.limited.example`, type: asked }));
    const all = Array.from({ length: 1000 }, (_, n) => sentTo(`n${n}.${below}`, type)).filter(
      (octets) => octets && parseAnswer(octets).answer.length > 0,
    );
    expect(all).toHaveLength(4);
    expect(parseAnswer(sentTo(`n.${below}`, "TXT")!).flags).toContain("aa");
    expect(parseAnswer(sentTo("wild", "A")!).answer).toHaveLength(1);
  });

  test("referrals to one zone share one credit", () => {
    const image = limitedImage();
    const types = ["A", "TXT", "MX"];
    const all = Array.from({ length: 1000 }, (_, n) =>
      image.send(queryOf({ name: `n${n}.cut.limited.example`, type: types[n % 3]! })),
    );
    expect(all.filter((octets) => octets && parseAnswer(octets).authority.length > 0)).toHaveLength(4);
    expect(parseAnswer(image.send(queryOf({ name: "www.limited.example", type: "A" }))!).answer).toHaveLength(1);
  });

  test("over TCP, and to exempt networks, all are sent", () => {
    expect(new Set(flags(limitedImage(), "www.limited.example", "A", "tcp"))).toEqual(new Set(["aa"]));
    const exempt = limitedImage([prefix("0.0.0.0", 0)]);
    expect(new Set(flags(exempt, "www.limited.example", "A"))).toEqual(new Set(["aa"]));
  });
});
