/** Entries that an allow list accepts, and the addresses that they cover. */
import { describe, expect, test } from "vitest";
import { limits } from "../kit/limits.ts";
import { assertAllowList, isListed, isWithin } from "./allowlist.ts";

describe("entries", () => {
  for (const entry of ["192.0.2.1", "192.0.2.0/24", "0.0.0.0/0", "2001:db8::1", "2001:DB8::/32", "::ffff:192.0.2.1"]) {
    test(`${entry} is accepted`, () => expect(() => assertAllowList([entry], "ip_whitelist")).not.toThrow());
  }
  for (const entry of [
    "010.0.0.1",
    "127.1",
    "0x7f.1",
    "1.2.3.4/33",
    "1.2.3.4/24",
    "1.2.3.0/024",
    "1.2.3.0/24/8",
    "1.2.3.0/",
    "",
    " 192.0.2.1",
    "fe80::1%eth0",
    "2001:db8::1/64",
    "example.com",
  ]) {
    test(`"${entry}" is refused, and the message has the field and the entry`, () =>
      expect(() => assertAllowList([entry], "ip_whitelist")).toThrow(`ip_whitelist: "${entry}"`));
  }
  test("the refusal of a prefix with host bits says which bits must be 0", () => {
    const refused = 'ip_whitelist: "10.0.0.1/8" has host bits set: all bits after the first 8 must be 0';
    expect(() => assertAllowList(["10.0.0.1/8"], "ip_whitelist")).toThrow(refused);
  });
  test("a list has a maximum length", () => {
    const entries = Array.from({ length: limits.allowListEntries + 1 }, () => "192.0.2.1");
    expect(() => assertAllowList(entries, "ip_whitelist")).toThrow("more than");
  });
});

describe("addresses", () => {
  const cases: [entry: string, address: string, listed: boolean][] = [
    ["192.0.2.1", "192.0.2.1", true],
    ["192.0.2.1", "::ffff:192.0.2.1", true],
    ["192.0.2.0/24", "::ffff:c000:0207", true],
    ["192.0.2.0/24", "192.0.3.1", false],
    ["::ffff:192.0.2.1", "192.0.2.1", true],
    ["::ffff:192.0.2.0/120", "192.0.2.9", true],
    // the deprecated IPv4-compatible form (RFC 4291 section 2.5.5.1), and translated addresses (RFC 2765 section 2.1)
    ["192.0.2.1", "::192.0.2.1", false],
    ["192.0.2.1", "::ffff:0:192.0.2.1", false],
    ["::192.0.2.1", "192.0.2.1", false],
    ["::1", "0:0:0:0:0:0:0:1", true],
    ["2001:DB8::/32", "2001:db8:1::1", true],
    ["0.0.0.0/0", "2001:db8::1", false],
    ["fe80::/10", "fe80::1%eth0", true],
    ["192.0.2.1", "not an address", false],
  ];
  for (const [entry, address, listed] of cases) {
    test(`${address} is ${listed ? "" : "not "}on ${entry}`, () => expect(isListed([entry], address)).toBe(listed));
  }
  const lists: [inner: string[], outer: string[], within: boolean][] = [
    [[], [], true],
    [[], ["192.0.2.1"], true],
    [["192.0.2.1"], [], false],
    [["192.0.2.1", "192.0.2.128/25"], ["192.0.2.0/24"], true],
    [["192.0.2.0/23"], ["192.0.2.0/24"], false],
    [["192.0.2.1", "198.51.100.1"], ["192.0.2.0/24"], false],
    [["::ffff:192.0.2.1"], ["192.0.2.0/24"], true],
    [["2001:db8::/48"], ["2001:db8::/32"], true],
    [["::/0"], ["0.0.0.0/0"], false],
    [["0.0.0.0/0"], ["::/0"], false],
  ];
  for (const [inner, outer, within] of lists) {
    test(`[${inner}] is ${within ? "" : "not "}within [${outer}]`, () => expect(isWithin(inner, outer)).toBe(within));
  }
  test("an empty list covers no address", () => expect(isListed([], "192.0.2.1")).toBe(false));
});
