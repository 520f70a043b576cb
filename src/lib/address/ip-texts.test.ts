/** Texts that resemble addresses, compared with another parser. */
import ipaddr from "ipaddr.js";
import { expect, test } from "vitest";
import { seededRandom } from "../../../test/machine/random.ts";
import { runs } from "../../../test/runs.ts";
import { scanIpv4, scanIpv6 } from "./ip.ts";

const { numRuns: texts } = runs(20_000);
const random = seededRandom(11);
const below = (most: number) => Math.floor(random() * most);

function mixed(pieces: readonly string[], separator: string): string {
  let text = "";
  for (let i = 1 + below(17); i > 0; i--) text += below(2) === 0 ? separator : pieces[below(pieces.length)];
  return text;
}

const octetsOf = (octets: Uint8Array | undefined) => octets && [...octets];

test("IPv6: both parsers accept the same texts, with the same addresses", () => {
  const pieces = ["0", "1", "f", "F", "abcd", "12345", "::", "g", "00", "0db8"];
  for (let i = 0; i < texts; i++) {
    const text = mixed(pieces, ":");
    const known = text.includes(":") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text).toByteArray() : undefined;
    expect([text, octetsOf(scanIpv6(text))]).toEqual([text, known]);
  }
});

test("IPv4: both parsers accept the same texts, with the same addresses", () => {
  const pieces = ["0", "1", "10", "255", "256", "01", "-1", " ", "1e1", "."];
  for (let i = 0; i < texts; i++) {
    const text = mixed(pieces, ".");
    const known = ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text).toByteArray() : undefined;
    expect([text, octetsOf(scanIpv4(text))]).toEqual([text, known]);
  }
  expect(octetsOf(scanIpv4("192.0.2.1"))).toEqual([192, 0, 2, 1]);
});
