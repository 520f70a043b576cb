import { expect, test } from "vitest";
import { Egress } from "./egress.ts";

const own = [
  { address: "0.0.0.0", port: 5300 },
  { address: "127.0.0.1", port: 8080 },
];
const first = "first";
const open = (egress: Egress, address: string, port = 53, account = first) =>
  egress.assertOpen(account, { address, port }, "ip").then(
    () => true,
    () => false,
  );

const strict = new Egress({ allow: [], own });
const loose = new Egress({ allow: [], privateFor: first, own });

for (const address of [
  ...["127.0.0.1", "127.9.9.9", "0.0.0.0", "10.1.2.3", "100.64.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1"],
  ...[
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "::ffff:8.8.8.8",
    "64:ff9b::808:808",
    // an IPv4 address translated as RFC 2765 section 2.1 says
    "::ffff:0:127.0.0.1",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    // Teredo, and segment identifiers of SRv6 (RFC 9602)
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "5f00::1",
  ],
]) {
  test(`${address} is refused unless it is allowed`, async () => expect(await open(strict, address)).toBe(false));
}

for (const address of ["8.8.8.8", "2620:fe::fe", "2001:4860:4860::8888"]) {
  test(`${address} is allowed`, async () => expect(await open(strict, address)).toBe(true));
}

for (const text of [
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "127.1",
  "localhost",
  "example.com",
  "1.2.3.4/24",
  "１.2.3.4",
]) {
  test(`${text} is not an address`, async () => expect(await open(loose, text)).toBe(false));
}

test("private networks are open to one account, and what the operator allows to all", async () => {
  const egress = new Egress({ allow: ["10.0.0.0/8"], privateFor: first, own });
  expect(await open(egress, "192.168.0.1", 53, first)).toBe(true);
  expect(await open(egress, "192.168.0.1", 53, "second")).toBe(false);
  expect(await open(egress, "10.0.0.1", 53, "second")).toBe(true);
});

test("private networks can be allowed, but never our own ports", async () => {
  for (const address of ["127.0.0.1", "10.0.0.1", "fd00::1", "::1"]) expect(await open(loose, address)).toBe(true);
  expect(await open(loose, "169.254.169.254")).toBe(false);
  for (const [address, port] of [
    ["127.0.0.1", 8080],
    ["127.0.0.1", 5300],
    ["127.0.0.2", 5300],
  ] as const) {
    expect([address, port, await open(loose, address, port)]).toEqual([address, port, false]);
  }
});

test("all addresses of the store's host name are refused, even while it cannot be resolved", async () => {
  let isFound = true;
  const resolve = async () => {
    if (!isFound) throw new Error("not found");
    return ["10.0.0.5", "fd00::5"];
  };
  const egress = new Egress({ allow: [], privateFor: first, own: [{ address: "store.example", port: 5432 }], resolve });
  expect(await open(egress, "10.0.0.5", 5432)).toBe(false);
  isFound = false;
  expect(await open(egress, "fd00::5", 5432)).toBe(false);
  expect(await open(egress, "10.0.0.5", 5433)).toBe(true);
  expect(await open(egress, "10.0.0.6", 5432)).toBe(true);
});
