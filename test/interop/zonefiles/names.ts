/** Names: their lengths, wildcards, and characters outside ASCII. */
import { why } from "./reasons.ts";
import type { Row } from "./row.ts";

const longest = "a".repeat(63);

/** A relative name with the given number of octets, including the zone's. */
function nameOf(octets: number): string {
  const rest = octets - 13 - 3 * 64;
  return [...Array<string>(3).fill("b".repeat(63)), "b".repeat(rest - 1)].join(".");
}

export const names: readonly Row[] = [
  ["a label of 63 octets", `${longest} A 192.0.2.1`, "+", "++"],
  ["a label of 64 octets", `${longest}a A 192.0.2.1`, "-", "--"],
  ["a label of 63 escapes", `${"\\097".repeat(63)} A 192.0.2.1`, "+", "++"],
  ["a label of 64 escapes", `${"\\097".repeat(64)} A 192.0.2.1`, "-", "--"],
  ["a name of 255 octets", `${nameOf(255)} A 192.0.2.1`, "+", "++"],
  ["a name of 256 octets", `${nameOf(256)} A 192.0.2.1`, "-", "--"],
  ["a target of 255 octets", `a CNAME ${nameOf(255)}`, "+", "++"],
  ["a target of 256 octets", `a CNAME ${nameOf(256)}`, "-", "--"],
  ["123 labels", `${"x.".repeat(120)}x A 192.0.2.1`, "+", "++"],
  ["an empty label", "a..b A 192.0.2.1", "-", "--"],
  ["a leading dot", ".a A 192.0.2.1", "-", "--"],
  ["two dots at the end", "a.. A 192.0.2.1", "-", "--"],
  ["the root as owner", ". A 192.0.2.1", [4], "++"],
  ["the root as target", "a CNAME .", "+", "++"],
  ["an absolute owner", "a.example.com. A 192.0.2.1", "+", "++"],
  ["a final dot forgotten", "a.example.com A 192.0.2.1", "+", "++"],
  ["capital letters", "WWW.EXAMPLE.COM. A 192.0.2.1", "+", "++"],
  ["two cases of one name", "www A 192.0.2.1\nWWW A 192.0.2.2", "+", "++"],
  ["an underscore", "_dmarc TXT x", "+", "++"],
  ["an underscore in the owner of an address record", "_a A 192.0.2.1", "+", "++"],
  ["a hyphen first", "-a A 192.0.2.1", "+", "++"],
  ["digits only", "123 A 192.0.2.1", "+", "++"],
  ["a slash, as in RFC 2317", "0/25 NS ns.example.net.", "+", "++"],
  ["a wildcard", "* A 192.0.2.1", "+", "++"],
  ["a wildcard below a name", "*.a A 192.0.2.1", "+", "++"],
  ["an asterisk in the middle", "a.*.b A 192.0.2.1", "+", "++"],
  ["an asterisk next to letters", "*a A 192.0.2.1", "+", "++"],
  ["two wildcards", "*.*.a A 192.0.2.1", "+", "++"],
  ["an escaped asterisk", "\\* A 192.0.2.1", "+", "++"],
  ["an asterisk by number", "\\042 A 192.0.2.1", "+", "++"],
  ["a wildcard CNAME", "* CNAME www", "+", "++"],
  ["a wildcard NS", "* NS ns.example.net.", "+", "-+", why.wildcardNs],
  ["a wildcard DNAME", "* DNAME example.net.", "+", "++"],
  ["a wildcard SOA", "* SOA a b 1 2 3 4 5", "-", "-+", why.soaApex],
  ["a valid A-label", "xn--bcher-kva A 192.0.2.1", "+", "++"],
  ["an invalid A-label", "xn--a-\\195 A 192.0.2.1", [4], "++"],
  ["an A-label that decodes to nothing", "xn--zzzzzzzz99999 A 192.0.2.1", "+", "++"],
  ["an empty A-label", "xn-- A 192.0.2.1", "+", "++"],
  ["a composed letter", "\u00fc A 192.0.2.1", [4], "+-", why.knotAscii],
  ["a decomposed letter", "u\u0308 A 192.0.2.1", [4], "+-", why.knotAscii],
  ["a sharp s", "stra\u00dfe A 192.0.2.1", [4], "+-", why.knotAscii],
  ["a full-width dot", "a\uff0eb A 192.0.2.1", [4], "+-", why.knotAscii],
  ["right-to-left text", "\u05d0 A 192.0.2.1", [4], "+-", why.knotAscii],
  ["a homograph", "\u0430pple A 192.0.2.1", [4], "+-", why.knotAscii],
  ["a zero-width joiner", "a\u200db A 192.0.2.1", [4], "+-", why.knotAscii],
  ["octet 0 by number", "a\\000b A 192.0.2.1", "+", "++"],
  ["octet 255 by number", "a\\255b A 192.0.2.1", [4], "++"],
  ["an international target", "a CNAME b\u00fccher", "+", "+-", why.knotAscii],
  ["a name server with a non-ASCII name", "sub NS n\u00e4s", "+", "+-", why.knotAscii],
  ["names that differ in an escape only", "a\\097 A 192.0.2.1\naa A 192.0.2.2", "+", "++"],
];
