/** RFC 8467 section 4.1: replies over encrypted transports are filled up to blocks of 468 octets. */
import { expect, test } from "vitest";
import { Cookies } from "../../src/edge/serve/cookies.ts";
import { TestImage } from "./image.ts";
import { code, queryWith, replyTo } from "./options.ts";

const image = new TestImage({ cookies: new Cookies([new Uint8Array(16)]), nsid: Buffer.from("x".repeat(64)) });
image.put("example.com", [
  "@ 300 NS ns1.example.com.",
  "www 300 A 192.0.2.1",
  ...Array.from({ length: 60 }, (_, i) => `large 300 A 192.0.2.${i}`),
]);
const padded = (text?: string) => queryWith([[code.padding, [0, 0]]], text);

test("RFC 8467 section 4.1: replies fill whole blocks", () => {
  for (const transport of ["tls", "https"] as const) {
    expect(replyTo(image, padded(), transport).octets).toHaveLength(468);
    expect(replyTo(image, padded("large.example.com. 1"), transport).octets).toHaveLength(3 * 468);
    expect(replyTo(image, padded("example.org. 1"), transport).octets).toHaveLength(468);
  }
});

test("padding is the last option, consists of zeros, and leaves the other options unchanged", () => {
  const query = queryWith([
    [code.padding, []],
    [code.cookie, new Uint8Array(8)],
    [code.nsid, []],
  ]);
  const { options, octets } = replyTo(image, query, "tls");
  expect(octets).toHaveLength(468);
  expect(Object.keys(options)).toEqual([code.nsid, code.cookie, code.padding].map(String));
  expect(options[code.padding]).toMatch(/^0+$/);
});

test("RFC 7830 section 4: replies in clear text, or to queries without padding, are not padded", () => {
  expect(replyTo(image, padded(), "udp").options).toEqual({});
  expect(replyTo(image, padded(), "tcp").options).toEqual({});
  expect(replyTo(image, queryWith([]), "tls").options).toEqual({});
});
