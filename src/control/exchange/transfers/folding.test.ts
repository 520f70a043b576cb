import { expect, test } from "vitest";
import { record } from "../../../../test/network/scripted-primary.ts";
import { rdataToApi } from "../../../dns/rdata/codec.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import { Folding } from "./folding.ts";

/** Returns the emitted RRsets in order, and those kept for the end. */
function fold(records: readonly ResourceRecord[]) {
  const emitted: string[] = [];
  const folding = new Folding(({ domain, type, ttl, rdata }) => {
    emitted.push(
      `${domain} ${ttl} ${type.name} ${rdata.map((octets) => rdataToApi(type, octets).join(" ")).join(", ")}`,
    );
  });
  for (const each of records) folding.add(each);
  folding.end();
  return { emitted, returned: [...folding.returned.rrsets.keys()] };
}

const lines = (...texts: readonly string[]) => texts.map((text) => record(text));

test("records of a name become RRsets when another name follows, with their lowest TTL and without duplicates", () => {
  const { emitted, returned } = fold(
    lines(
      "a.example. 300 A 192.0.2.1",
      "a.example. 300 MX 10 mx.example.",
      "a.example. 60 A 192.0.2.2",
      "a.example. 300 A 192.0.2.1",
      "b.example. 300 A 192.0.2.3",
    ),
  );
  expect(emitted).toEqual([
    "a.example 60 A 192.0.2.1, 192.0.2.2",
    "a.example 300 MX 10 mx.example",
    "b.example 300 A 192.0.2.3",
  ]);
  expect(returned).toEqual([]);
});

test("a name that comes up again may add types, and records of RRsets already emitted are kept", () => {
  const { emitted, returned } = fold(
    lines(
      "a.example. 300 A 192.0.2.1",
      "b.example. 300 A 192.0.2.3",
      'a.example. 300 TXT "other"',
      "a.example. 300 A 192.0.2.2",
    ),
  );
  expect(emitted).toEqual(["a.example 300 A 192.0.2.1", "b.example 300 A 192.0.2.3", "a.example 300 TXT other"]);
  expect(returned).toEqual(["a.example A"]);
});

const cname = "a.example. 300 CNAME b.example.";
const address = "a.example. 300 A 192.0.2.1";
const between = "c.example. 300 A 192.0.2.1";

test.each([
  ["before it", [address, cname]],
  ["after it", [cname, address]],
  ["before it, with another name between", [address, between, cname]],
  ["after it, with another name between", [cname, between, address]],
])("a CNAME record with another record %s is refused", (_, texts) => {
  expect(() => fold(lines(...texts))).toThrow("has other records besides the CNAME record at a.example");
});

test("a name with two CNAME records is refused", () => {
  expect(() => fold(lines(cname, "a.example. 300 CNAME c.example."))).toThrow("has 2 records of type CNAME");
});

test("an RRset too large for a message is refused before it is complete", () => {
  function* endless() {
    for (let i = 0; ; i++) yield record(`t.example. 300 TXT "${`${i}`.padEnd(200, "x")}"`);
  }
  const folding = new Folding(() => {});
  expect(() => {
    for (const each of endless()) folding.add(each);
  }).toThrow("has more than 60000 octets of t.example TXT");
});

test("records that are separated from other records with the same name and type are kept up to a limit", () => {
  function* scattered() {
    for (let i = 0; ; i++)
      yield record(`${i % 2 ? "a" : "b"}.example. 300 A 10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  }
  const folding = new Folding(() => {});
  expect(() => {
    for (const each of scattered()) folding.add(each);
  }).toThrow("separated from other records with the same name and type");
});
