/** Server cookies: the test vectors of RFC 9018 appendix A, and invalid cookies. */
import { expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { SipHash } from "../../dns/siphash.ts";
import { addressOctets, familyOf } from "../../net/socket/address.ts";
import { Cookies } from "./cookies.ts";

const octets = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));
const hex = (data: Uint8Array) => Buffer.from(data).toString("hex");
const client = (address: string) => ({ family: familyOf(address), address: addressOctets(address), port: 4096 });

const first = "e5e973e5a6b2a43f48e7dc849e37bfcf";
const second = "dd3bdf9344b678b185a6f5cb60fca715";
const third = "445536bcd2513298075a5d379663c962";

function answer(secrets: readonly string[], now: number, address: string, cookie: string) {
  const cookies = new Cookies(secrets.map(octets));
  cookies.now = now;
  const query = octets(`ffff${cookie}ffff`);
  const isValid = cookies.answer(query, 2, query.length - 4, client(address));
  return { isValid, reply: hex(cookies.reply) };
}

test("SipHash-2-4 gives the reference values for 0 and for 15 octets", () => {
  const hash = new SipHash(octets("000102030405060708090a0b0c0d0e0f"));
  hash.update(new Uint8Array(0), 0);
  expect([hash.high >>> 0, hash.low >>> 0]).toEqual([0x726fdb47, 0xdd0e0e31]);
  hash.update(octets("000102030405060708090a0b0c0d0e"), 15);
  expect([hash.high >>> 0, hash.low >>> 0]).toEqual([0xa129ca61, 0x49be45e5]);
});

test("RFC 9018 A.1: a client cookie alone gets a server cookie", () => {
  expect(answer([first], 1559731985, "198.51.100.100", "2464c4abcf10c957")).toEqual({
    isValid: false,
    reply: "2464c4abcf10c957010000005cf79f111f8130c3eee29480",
  });
});

test("RFC 9018 A.2: a cookie that is 40 minutes old is accepted and renewed", () => {
  const cookie = "2464c4abcf10c957010000005cf79f111f8130c3eee29480";
  expect(answer([first], 0x5cf7a871, "198.51.100.100", cookie)).toEqual({
    isValid: true,
    reply: "2464c4abcf10c957010000005cf7a871d4a564a1442aca77",
  });
});

test("RFC 9018 A.3: reserved octets are hashed as received, and sent as 0", () => {
  const cookie = "fc93fc62807ddb8601abcdef5cf78f71a314227b6679ebf5";
  const reply = "fc93fc62807ddb86010000005cf7a9acf73a7810aca2381e";
  const made = answer([first], 0x5cf78f71, "203.0.113.203", "fc93fc62807ddb86").reply;
  expect(answer([first], 0x5cf7a9ac, "203.0.113.203", cookie).reply).toBe(reply);
  expect(answer([first], 0x5cf78f71, "203.0.113.203", cookie)).toEqual({ isValid: true, reply: made });
});

test("RFC 9018 A.4: a cookie of an IPv6 client, made with the previous secret, is accepted", () => {
  const address = "2001:db8:220:1:59de:d0f4:8769:82b8";
  const cookie = "22681ab97d52c298010000005cf7c57926556bd0934c72f8";
  const reply = "22681ab97d52c298010000005cf7c609a6bb79d16625507a";
  expect(answer([third, second], 0x5cf7c609, address, cookie)).toEqual({ isValid: true, reply });
  expect(answer([third], 0x5cf7c609, address, cookie)).toEqual({ isValid: false, reply });
});

test("the cache changes neither which cookies are valid nor which are sent", () => {
  const cookies = new Cookies([third, second].map(octets));
  const random = seededRandom(7);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const clients = ["192.0.2.1", "192.0.2.2", "c000:201::"].map(client);
  const halves = ["0011223344556677", "0011223344556678"];
  const shown = [`01000000${"00".repeat(12)}`];
  cookies.now = 1559731985;
  for (let turn = 0; turn < 300; turn++) {
    cookies.now += pick([0, 1, 60, 900, -200]);
    const from = pick(clients);
    const own = pick(halves);
    const cookie = octets(own + pick(["", pick(shown)]));
    const isValid = cookies.answer(cookie, 0, cookie.length, from);
    const fresh = new Cookies([third, second].map(octets));
    fresh.now = cookies.now;
    expect(isValid).toBe(fresh.answer(cookie, 0, cookie.length, from));
    expect(fresh.answer(cookies.reply, 0, cookies.reply.length, from)).toBe(true);
    expect(fresh.reply, "not older than half an hour").toEqual(cookies.reply);
    shown[turn % 8] = hex(cookies.reply).slice(16);
  }
});

test("a cookie is sent again for half an hour, and accepted for an hour, only from its client", () => {
  const at = 1559731985;
  const { reply } = answer([first], at, "192.0.2.1", "0011223344556677");
  const later = (seconds: number, address = "192.0.2.1") => answer([first], at + seconds, address, reply);
  expect(later(1800)).toEqual({ isValid: true, reply });
  expect(later(1801)).toMatchObject({ isValid: true, reply: expect.not.stringContaining(reply) });
  expect(later(3600).isValid).toBe(true);
  expect(later(3601).isValid).toBe(false);
  expect(later(-300).isValid).toBe(true);
  expect(later(-301).isValid).toBe(false);
  expect(later(0, "192.0.2.2").isValid).toBe(false);
  expect(answer([first], at, "192.0.2.1", `${reply.slice(0, -2)}ff`).isValid).toBe(false);
  expect(answer([first], at, "192.0.2.1", `${reply}00`).isValid).toBe(false);
});
