import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressOctets, composeSockaddr, isWildcard } from "./address.ts";

describe("addresses", () => {
  test("every spelling of an IPv6 address yields its octets", () => {
    const octets = [0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 192, 0, 2, 33];
    for (const text of ["2001:db8::c000:221", "2001:DB8:0:0:0:0:C000:0221", "2001:db8::192.0.2.33"]) {
      expect([...addressOctets(text)], text).toEqual(octets);
    }
    expect([...addressOctets("::")]).toEqual(Array(16).fill(0));
    expect([...addressOctets("1::")]).toEqual([0, 1, ...Array(14).fill(0)]);
    expect([...addressOctets("fe80::1%eth0")]).toEqual([0xfe, 0x80, ...Array(13).fill(0), 1]);
  });

  test("a printed address is parsed to its original octets", () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const octets = addressOctets(text);
        const groups = Array.from({ length: 8 }, (_, at) => (octets[at * 2]! * 256 + octets[at * 2 + 1]!).toString(16));
        expect(addressOctets(groups.join(":"))).toEqual(octets);
        expect(octets.length).toBe(16);
      }),
    );
    fc.assert(fc.property(fc.ipV4(), (text) => addressOctets(text).join(".") === text));
  });

  test("the error for text that is not an address contains the text", () => {
    for (const text of ["localhost", "1.2.3", "1.2.3.4.5", ":::", "127.0.0.1:53", ""]) {
      expect(() => addressOctets(text)).toThrow(`"${text}" is not an IP address`);
    }
  });

  test("a sockaddr has the port in network order", () => {
    expect([...composeSockaddr("127.0.0.1", 0x1234).subarray(0, 8)]).toEqual([2, 0, 0x12, 0x34, 127, 0, 0, 1]);
    expect(composeSockaddr("::1", 53).length).toBe(28);
    expect(() => composeSockaddr("fe80::1%nowhere0", 53)).toThrow("no interface nowhere0");
  });

  test("wildcard addresses are recognised", () => {
    expect(["0.0.0.0", "::", "0:0::0"].map(isWildcard)).toEqual([true, true, true]);
    expect(["127.0.0.1", "::1"].map(isWildcard)).toEqual([false, false]);
  });
});
