/** Names that may become zones, and the keys of claims. */
import { describe, expect, test } from "vitest";
import { ancestorsOf } from "../../../../dns/wire/name.ts";
import { assertNotPublicSuffix, claimScope, spanningAncestors } from "./ownership.ts";

describe("public suffixes", () => {
  for (const zone of ["co.uk", "foo.ck", "com.au", "in-addr.arpa"]) {
    test(`${zone} is refused`, () => expect(() => assertNotPublicSuffix(zone, [])).toThrow(`"${zone}"`));
  }
  for (const zone of [
    "example.co.uk",
    "www.ck",
    "github.io",
    "example.test",
    "corp.internal",
    "2.0.192.in-addr.arpa",
  ]) {
    test(`${zone} is accepted`, () => expect(() => assertNotPublicSuffix(zone, [])).not.toThrow());
  }
  test("a suffix that the operator allows is accepted", () =>
    expect(() => assertNotPublicSuffix("co.uk", ["co.uk"])).not.toThrow());
});

test("claims are stored under the registered domain", () => {
  expect(claimScope("a.b.example.co.uk")).toEqual({ registrable: "example.co.uk", spans: false });
  expect(claimScope("example.com")).toEqual({ registrable: "example.com", spans: false });
  expect(claimScope("co.uk")).toEqual({ registrable: "co.uk", spans: true });
  expect(claimScope("github.io").registrable).toBe("github.io");
});

test("ancestors are found label by label", () => {
  expect(ancestorsOf("a.b.example.com")).toEqual(["b.example.com", "example.com", "com"]);
  expect(ancestorsOf("a\\.b.example.com")).toEqual(["example.com", "com"]);
  expect(ancestorsOf("com")).toEqual([]);
});

test("only suffixes that may be zones are locked for zones below them", () => {
  expect(spanningAncestors("a.example.co.uk", "managed", [])).toEqual([]);
  expect(spanningAncestors("a.example.co.uk", "managed", ["co.uk"])).toEqual(["co.uk"]);
  expect(spanningAncestors("a.example.co.uk", "ddi", [])).toEqual(["co.uk", "uk"]);
});
