/** RFC 8914 section 4: extended errors, for refusals with a known reason. */
import { expect, test } from "vitest";
import { TypeCode } from "../../src/dns/wire/constants.ts";
import { TestImage } from "./image.ts";
import { code, queryWith, replyTo } from "./options.ts";
import { opt, packet, question } from "./packet.ts";

const image = new TestImage().put("example.com", ["@ 300 NS ns1.example.com.", "away 300 ALIAS www.example.org."]);
const info = (number: number) => ({ options: { [code.error]: number.toString(16).padStart(4, "0") } });

test("4.19: a refused transfer or NOTIFY has Prohibited", () => {
  for (const type of [TypeCode.AXFR, TypeCode.IXFR]) {
    expect(replyTo(image, queryWith([], `example.com. ${type}`), "tcp")).toMatchObject({
      rcode: "REFUSED",
      ...info(18),
    });
  }
  const notify = packet({ flags: 0x2000, questions: [question("example.com.", TypeCode.SOA)], additionals: [opt()] });
  expect(replyTo(image, notify)).toMatchObject({ rcode: "REFUSED", ...info(18) });
});

test("4.21: a refusal for a name in no zone has Not Authoritative", () => {
  expect(replyTo(image, queryWith([], "example.org. 1"))).toMatchObject({ rcode: "REFUSED", ...info(20) });
});

test("4.22: an opcode that is not implemented, or AXFR over UDP, has Not Supported", () => {
  const status = packet({ flags: 0x1000, questions: [question("example.com.")], additionals: [opt()] });
  expect(replyTo(image, status)).toMatchObject({ rcode: "NOTIMP", ...info(21) });
  expect(replyTo(image, queryWith([], "example.com. 252"))).toMatchObject({ rcode: "NOTIMP", ...info(21) });
});

test("4.23: an ALIAS to a name in no zone has No Reachable Authority", () => {
  expect(replyTo(image, queryWith([], "away.example.com. 1"))).toMatchObject({ rcode: "SERVFAIL", ...info(22) });
});

test("RFC 9824 section 3.4: a query for NXNAME has Invalid Query Type", () => {
  expect(replyTo(image, queryWith([], "example.com. 128"))).toMatchObject({ rcode: "FORMERR", ...info(30) });
});

test("2: a reply without EDNS, or with an answer, has no extended error", () => {
  expect(replyTo(image, packet({ questions: [question("example.org.")] })).opt).toBeUndefined();
  expect(replyTo(image, queryWith([], "example.com. 2")).options).toEqual({});
});

test("an error in a query is not echoed", () => {
  expect(replyTo(image, queryWith([[code.error, [0, 3]]], "example.com. 2")).options).toEqual({});
});
