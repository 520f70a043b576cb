/** Prefixes as text. Addresses are tested with the record types A and AAAA. */
import { expect, test } from "vitest";
import { contains, hostMask, printIp, scanIp, scanPrefix } from "./ip.ts";

test.each([
  ["192.0.2.0/24", [192, 0, 2, 0], 24],
  ["192.0.2.1", [192, 0, 2, 1], 32],
  ["0.0.0.0/0", [0, 0, 0, 0], 0],
  ["10.1.2.3/8", [10, 1, 2, 3], 8],
  ["2001:db8::/32", [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 32],
  ["::", new Array(16).fill(0), 128],
])("%s is a prefix", (text, address, bits) => {
  expect(scanPrefix(text)).toEqual({ address: Uint8Array.from(address), bits });
});

test.each([
  ...[
    "",
    "/",
    "/8",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/8/9",
    "10.0.0.0/8.0",
    "10.0.0.0/ 8",
    "010.0.0.0/8",
  ],
  ...["10.0/8", "::/129", "fe80::1%eth0/64", "192.0.2.1::/64", "1:2:3/64", "name/8"],
])("%j is not a prefix", (text) => expect(scanPrefix(text)).toBeUndefined());

test("an address is printed in its shortest form", () => {
  expect(printIp(scanIp("2001:DB8:0:0:0:0:0:1")!)).toBe("2001:db8::1");
  expect(printIp(scanIp("192.0.2.1")!)).toBe("192.0.2.1");
});

test("the mask of an octet covers the bits after the prefix", () => {
  expect([0, 1, 2, 3].map((at) => hostMask(20, at))).toEqual([0, 0, 15, 255]);
});

test.each([
  ["10.0.0.0/8", ["10.9.8.7"], ["11.0.0.1", "::ffff:10.0.0.1", "::"]],
  ["192.0.2.1", ["192.0.2.1"], ["192.0.2.2"]],
  ["192.0.2.128/25", ["192.0.2.129", "192.0.2.255"], ["192.0.2.127"]],
  ["2001:db8::/33", ["2001:db8:7fff::1"], ["2001:db8:8000::1", "32.1.13.184"]],
  ["::/0", ["::", "ffff::1"], ["0.0.0.0"]],
])("%s contains %j, but not %j", (text, inside, outside) => {
  const prefix = scanPrefix(text)!;
  expect([...inside, ...outside].filter((address) => contains(prefix, scanIp(address)!))).toEqual(inside);
});
