/** Rate limits: the number of answers to the clients of a prefix. */
import { expect, test } from "vitest";
import { addressOctets, familyOf } from "../../net/socket/address.ts";
import { answerKind, makeRateTable, RateLimiter, type RateLimits } from "./rate.ts";

const client = (address: string) => ({ family: familyOf(address), address: addressOctets(address), port: 4096 });
const prefix = (address: string, bits: number) => ({ address: addressOctets(address), bits });

function limiter(limits: Partial<RateLimits>, table = makeRateTable(7)) {
  const made = new RateLimiter(table, { answers: 10, errors: 5, exempt: [], ...limits });
  made.now = 1_000_000;
  return made;
}

const sent = (rate: RateLimiter, address: string, count: number, kind: 0 | 1 | 2 = answerKind.answer, zone = 0) =>
  Array.from({ length: count }, () => rate.admit(client(address), kind, zone)).filter((what) => what === "send").length;

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

test("beyond the limit, every second answer is sent truncated, and errors are dropped", () => {
  const rate = limiter({ answers: 1, errors: 1 });
  const over = (kind: 0 | 1 | 2) => Array.from({ length: 5 }, () => rate.admit(client("192.0.2.1"), kind, 0));
  expect(over(answerKind.answer)).toEqual(["send", "drop", "slip", "drop", "slip"]);
  expect(over(answerKind.error)).toEqual(["send", "drop", "drop", "drop", "drop"]);
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
    rate.admit({ family: 4, address: Uint8Array.of(10 + (i >>> 16), i >>> 8, i, 1), port: 1 }, answerKind.answer, 0);
    if (i % 100 === 0) expect(sent(rate, "192.0.2.1", 1)).toBe(0);
  }
});
