/** Facts about interfaces, and the rules that follow from addresses of this machine. */
import { networkInterfaces } from "node:os";
import { describe, expect, test } from "vitest";
import { hasLibc } from "../../lib/system/libc.ts";
import { addressOctets } from "../socket/address.ts";
import { broadcastOf, describeInterface, rulesFor } from "./interface.ts";

const own = Object.entries(networkInterfaces()).flatMap(([name, entries = []]) =>
  entries.filter(({ internal }) => !internal).map((entry) => ({ name, ...entry })),
);
const ethernet = { name: "eth0", index: 1, mac: new Uint8Array(6), mtu: 1500, queues: 1 };

test.each([
  ["192.0.2.7/24", ["192.0.2.255"]],
  ["192.0.2.7/30", ["192.0.2.7"]],
  ["10.1.2.3/9", ["10.127.255.255"]],
  ["192.0.2.7/31", []],
  ["192.0.2.7/32", []],
  ["2001:db8::1/64", []],
  [null, []],
])("the broadcast address of %s is %j", (cidr, expected) => {
  expect(broadcastOf(cidr).map((octets) => octets.join("."))).toEqual(expected);
});

test("an endpoint with an address stays as it is", () => {
  const { endpoints } = rulesFor(ethernet, [{ address: "192.0.2.1", port: 53 }]);
  expect(endpoints).toEqual([{ address: addressOctets("192.0.2.1"), port: 53 }]);
});

test("a wildcard stands for the addresses of its family, which are not answered as clients either", () => {
  for (const [wildcard, family] of [
    ["0.0.0.0", "IPv4"],
    ["::", "IPv6"],
  ] as const) {
    const rules = rulesFor(ethernet, [{ address: wildcard, port: 5300 }]);
    const expected = own.filter((one) => one.family === family).map(({ address }) => addressOctets(address));
    expect(rules.endpoints).toEqual(expected.map((address) => ({ address, port: 5300 })));
    for (const address of expected) expect(rules.ours).toContainEqual(address);
    expect(rules.ours).not.toContainEqual(addressOctets("127.0.0.1"));
  }
});

describe.runIf(hasLibc())("interfaces of this machine", () => {
  test("that do not exist or are not Ethernet are named", () => {
    expect(() => describeInterface("none-such")).toThrow("there is no interface none-such");
    expect(() => describeInterface("lo")).toThrow("lo is not Ethernet");
  });

  test("are known with hardware address, size of packets and queues", () => {
    for (const { name, mac } of own.filter((one) => one.mac !== "00:00:00:00:00:00")) {
      const found = describeInterface(name);
      expect(Buffer.from(found.mac).toString("hex")).toBe(mac.replaceAll(":", ""));
      expect(found.mtu).toBeGreaterThanOrEqual(576);
      expect(found.queues).toBeGreaterThanOrEqual(1);
    }
  });
});
