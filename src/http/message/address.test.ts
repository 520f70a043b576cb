import { describe, expect, test } from "vitest";
import { Origins } from "./address.ts";

const direct = new Origins([]);
const behind = new Origins(["10.0.0.0/8", "2001:db8:ffff::/48", "127.0.0.1"]);

describe("the origin of a request", () => {
  test("the address of a peer that is not a trusted proxy is used", () => {
    expect(direct.find("127.0.0.1", "192.0.2.1").address).toBe("127.0.0.1");
    expect(behind.find("192.0.2.9", "192.0.2.1")).toMatchObject({ address: "192.0.2.9", proxied: false });
  });

  test("mapped IPv4 addresses and spellings of IPv6 addresses are canonical", () => {
    expect(direct.find("::ffff:192.0.2.1", undefined).address).toBe("192.0.2.1");
    expect(direct.find("2001:DB8:0:0::1", undefined).address).toBe("2001:db8::1");
    expect(direct.find("fe80::1%eth0", undefined).address).toBe("fe80::1");
    expect(behind.find("::ffff:10.1.2.3", "::ffff:192.0.2.7").address).toBe("192.0.2.7");
  });

  const hops: readonly [forwarded: string, address: string][] = [
    ["192.0.2.1", "192.0.2.1"],
    ["198.51.100.1, 192.0.2.1", "192.0.2.1"],
    ["198.51.100.1, 192.0.2.1, 10.9.9.9", "192.0.2.1"],
    ["10.1.1.1, 10.2.2.2", "10.1.1.1"],
    ["192.0.2.1:443", "192.0.2.1"],
    ["[2001:db8::5]:443", "2001:db8::5"],
    ["192.0.2.1, unknown", "10.0.0.1"],
    ["192.0.2.1, nonsense, 10.2.2.2", "10.2.2.2"],
    ["", "10.0.0.1"],
    ["0x7f.1", "10.0.0.1"],
  ];
  for (const [forwarded, address] of hops) {
    test(`"${forwarded}" from a proxy means ${address}`, () => {
      expect(behind.find("10.0.0.1", forwarded)).toMatchObject({ address, proxied: true });
    });
  }

  test("an IPv6 /64 has one bucket for rate limits", () => {
    const [one, other] = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"].map((peer) => direct.find(peer, undefined).bucket);
    expect(one).toBe(other);
    expect(direct.find("2001:db8:1:3::1", undefined).bucket).not.toBe(one);
  });

  test("an IPv6 /48 has one network, and an IPv4 address is its own", () => {
    const of = (peer: string) => direct.find(peer, undefined);
    expect(of("2001:db8:1:ffff::1").network).toBe(of("2001:db8:1:2::1").network);
    expect(of("2001:db8:2::1").network).not.toBe(of("2001:db8:1::1").network);
    expect(of("192.0.2.1")).toMatchObject({ bucket: "192.0.2.1", network: "192.0.2.1" });
  });

  test("a closed connection has the address 0.0.0.0", () => {
    expect(direct.find(undefined, undefined).address).toBe("0.0.0.0");
  });
});
