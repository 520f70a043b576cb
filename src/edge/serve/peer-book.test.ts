import { describe, expect, test } from "vitest";
import type { Client } from "../../net/socket/service.ts";
import { PeerBook } from "./peer-book.ts";

const address = Uint8Array.of(192, 0, 2, 1);
const plain: Client = { family: 4, address, port: 1 };
const secure: Client = { ...plain, secure: "tls" };
const clients: Readonly<Record<string, Client>> = {
  "plain UDP and TCP": plain,
  "TLS 1.3 with the ALPN of DNS": { ...secure, isXot: true },
  "other TLS": secure,
  HTTPS: { ...plain, secure: "https" },
};

describe.each([
  ["a secondary", false, ["plain UDP and TCP", "TLS 1.3 with the ALPN of DNS"]],
  ["a secondary for TLS only", true, ["TLS 1.3 with the ALPN of DNS"]],
] as const)("%s", (_, tls_only, ways) => {
  const allowed = [{ ip: "192.0.2.0/24", tls_only }];
  const book = new PeerBook({
    keys: [],
    outgoing: [{ account_id: "a", zone_id: "1", zone: "example.com", allowed }],
    incoming: [],
  });

  for (const [way, client] of Object.entries(clients)) {
    const isAllowed = ways.some((one) => one === way);
    test(`${isAllowed ? "may" : "may not"} transfer the zone over ${way}`, () => {
      expect(book.mayTransfer("example.com", client, undefined) !== undefined).toBe(isAllowed);
    });
  }
});

test("a change of some partners leaves the others, and those of another account, as they are", () => {
  const zone = (account_id: string, name: string) => ({
    ...{ account_id, zone_id: name, zone: name, allowed: [{ ip: "192.0.2.1" }] },
  });
  const book = new PeerBook({ keys: [], outgoing: [zone("a", "one.test"), zone("a", "two.test")], incoming: [] });
  const none = { keys: [], outgoing: [], incoming: [] };
  const open = () =>
    ["one.test", "two.test"].map((name) => book.mayTransfer(name, plain, undefined)?.account_id ?? "nobody");
  book.apply({ set: { ...none, outgoing: [zone("b", "two.test")] }, gone: none });
  expect(open()).toEqual(["a", "b"]);
  book.apply({ set: none, gone: { ...none, outgoing: [zone("a", "one.test"), zone("a", "two.test")] } });
  expect(open()).toEqual(["nobody", "b"]);
});
