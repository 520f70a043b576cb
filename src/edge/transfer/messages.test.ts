import { expect, test } from "vitest";
import { record, soa } from "../../../test/network/scripted-primary.ts";
import { parseReply } from "../../dns/reply.ts";
import { sign, signatureOctets, type TsigKey } from "../../dns/tsig/tsig.ts";
import { Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { scanName } from "../../dns/wire/name.ts";
import { refusalOf, TransferMessages } from "./messages.ts";

const key: TsigKey = { name: scanName("k.example."), algorithm: "hmac-sha512", secret: Uint8Array.of(1) };
const question = { id: 7, name: scanName("example."), type: TypeCode.AXFR, edns: true, block: 468 };
const hosts = Array.from({ length: 900 }, (_, i) => record(`h${i}.example. 300 TXT "${"x".repeat(i % 200)}"`));

/** All messages of a transfer of these hosts. */
function messagesOf(rest: Partial<typeof question>, signature = 0): Uint8Array[] {
  const messages = new TransferMessages({ ...question, ...rest }, signature);
  const full = [soa("example.", 1), ...hosts, soa("example.", 1)].flatMap((each) => messages.add(each) ?? []);
  return [...full, messages.end()];
}

const records = (messages: readonly Uint8Array[]) =>
  messages.reduce((sum, message) => sum + parseReply(message).answer.length, 0);
/** ARCOUNT, which is 1 where there is an OPT record. */
const additional = (messages: readonly Uint8Array[]) => [...new Set(messages.map((message) => message[11]))];

test("every message has the requested OPT record, and is padded to whole blocks", () => {
  const messages = messagesOf({});
  expect([messages.length > 5, records(messages), additional(messages)]).toEqual([true, 902, [1]]);
  expect(messages.map(({ length }) => length % 468)).toEqual(messages.map(() => 0));
});

test("a message is padded to whole blocks including its signature", () => {
  const octets = signatureOctets(key);
  for (const message of [...messagesOf({}, octets), refusalOf(question, Rcode.REFUSED, octets)]) {
    expect(sign(message, key, 1).octets.length % 468).toBe(0);
  }
});

test("messages have no padding without a block size, and no OPT record if the query has none", () => {
  const [bare, plain] = [messagesOf({ edns: false, block: 468 }), messagesOf({ block: 0 })];
  expect([additional(bare), additional(plain)]).toEqual([[0], [1]]);
  expect(plain[0]!.length - bare[0]!.length).toBe(11);
});

test("a refusal has its RCODE, and is not authoritative", () => {
  const { rcode, flags } = parseReply(refusalOf(question, Rcode.REFUSED, 0));
  expect([rcode, flags & 0x0400]).toEqual([Rcode.REFUSED, 0]);
});
