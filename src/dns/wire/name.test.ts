/** Names: limits, escapes, spelling and order. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../../lib/problem.ts";
import {
  apiName,
  compareNames,
  isSubdomain,
  labelCount,
  lowerName,
  nameFromApi,
  nameToApi,
  printName,
  root,
  scanApiName,
  scanName,
} from "./name.ts";
import { joined, WireError } from "./wire.ts";

const label = (length: number) => "a".repeat(length);
/** A name of 255 octets in wire format. */
const longest = [label(63), label(63), label(63), label(61)].join(".");

const wireNames = fc
  .array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { maxLength: 6 })
  .map((labels) => joined([...labels.flatMap((octets) => [Uint8Array.of(octets.length), octets]), root]));

test("a name in lower case is a copy, also of octets in a Buffer", () => {
  const message = Buffer.from("\x03WwW\x00", "latin1");
  expect(printName(lowerName(message))).toBe("www.");
  expect(printName(message)).toBe("WwW.");
});

describe("presentation format", () => {
  test("a label has at most 63 octets", () => {
    expect(scanName(`${label(63)}.`)).toHaveLength(65);
    expect(() => scanName(label(64))).toThrow("has a label longer than 63 octets");
  });

  test("a name has at most 255 octets", () => {
    expect(scanName(longest)).toHaveLength(255);
    expect(() => scanName(`${longest}a`)).toThrow("is longer than 255 octets");
    expect(() => scanName("a", scanName(longest))).toThrow("is longer than 255 octets");
    expect(() => scanName(`${longest}.a.b.c`)).toThrow("is longer than 255 octets");
  });

  test("an escape is one octet", () => expect(scanName("\\097".repeat(63))).toHaveLength(65));

  test.each(["", "..", ".a", "a..b", "a..", "a b", "a\tb", "a\u0000", "ü", "a\\", "a\\25", "a\\256", "a\\ü"])(
    "%j is not a name",
    (text) => expect(() => scanName(text)).toThrow(WireError),
  );

  test.each([
    ["\\046", "\\.."],
    ["\\000.A", "\\000.A."],
    ["a\\.b.c", "a\\.b.c."],
    ["*", "*."],
    ["a.*.b.", "a.*.b."],
    ["_dmarc.x", "_dmarc.x."],
    ['\\@\\$\\"\\;\\(\\)\\\\.x', '\\@\\$\\"\\;\\(\\)\\\\.x.'],
    ["\\a\\032\\127\\255", "a\\032\\127\\255."],
    [".", "."],
  ])("%j prints as %j", (text, printed) => expect(printName(scanName(text))).toBe(printed));

  test("every octet survives printing and scanning", () => {
    const octets = Uint8Array.from({ length: 256 }, (_, octet) => octet);
    const labels = Array.from({ length: 5 }, (_, i) => octets.subarray(i * 52, i * 52 + 52)).filter(
      (part) => part.length,
    );
    for (const part of labels) {
      const name = joined([Uint8Array.of(part.length), part, root]);
      expect(scanName(printName(name))).toEqual(name);
    }
    fc.assert(fc.property(wireNames, (name) => void expect(scanName(printName(name))).toEqual(name)));
  });

  test("a name without final dot is relative, @ is the origin", () => {
    const origin = scanName("example.com.");
    expect(printName(scanName("www", origin))).toBe("www.example.com.");
    expect(printName(scanName("www.", origin))).toBe("www.");
    expect(scanName("@", origin)).toBe(origin);
  });
});

describe("API spelling", () => {
  test.each([
    ["WWW.Example.COM.", "www.example.com"],
    ["*.Example", "*.example"],
    [".", "."],
    ["\\087\\046\\032.x", "w\\.\\032.x"],
    ["bücher.Example", "xn--bcher-kva.example"],
    ["STRASSE.straße.de", "strasse.xn--strae-oqa.de"],
    ["_dmarc.cafe\u0301", "_dmarc.xn--caf-dma"],
    ["caf\u00e9", "xn--caf-dma"],
    ["*.ü.", "*.xn--tda"],
    ["א.com", "xn--4db.com"],
    ["xn--a", "xn--a"],
  ])("%j is %j", (text, spelling) => {
    expect(apiName(text)).toBe(spelling);
    expect(apiName(spelling)).toBe(spelling);
  });

  test.each([
    "",
    "@",
    "..",
    ".a",
    "a b",
    "a。b",
    "ü。b",
    "１２７.0.0.1",
    "ü/x",
    "ü:80",
    "a\u200db",
    "ü\\.x",
    "\ud800",
    "\u202eabc",
    "ü..x",
    `${longest}a`,
    "x".repeat(1e6),
    "ü".repeat(300),
  ])("%j is refused with a Problem", (text) => {
    expect(() => apiName(text)).toThrow(Problem);
    expect(() => scanApiName(text)).toThrow(WireError);
  });

  test("every name in lower case survives the API's form", () => {
    fc.assert(
      fc.property(wireNames.map(lowerName), (name) => {
        expect(nameFromApi(nameToApi(name))).toEqual(name);
        expect(apiName(nameToApi(name))).toBe(nameToApi(name));
      }),
    );
  });

  test("any text is a name or a Problem", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom(..."a.\\0ü") }),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(apiName(apiName(given))).toBe(apiName(given));
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});

describe("relations", () => {
  test.each([
    ["a.example", "example", true],
    ["EXAMPLE", "example", true],
    ["example", "a.example", false],
    ["xexample", "example", false],
    ["a\\.example", "example", false],
    ["example", ".", true],
    [".", ".", true],
    ["*.a.example", "A.Example", true],
    // the octet 7 inside a label is not a length
    ["a\\007example", "example", false],
  ])("%s is at or below %s: %s", (name, ancestor, expected) => {
    expect(isSubdomain(scanName(name), scanName(ancestor))).toBe(expected);
  });

  test("the root is not counted as a label", () => {
    expect(["a.b.c", ".", "a\\.b"].map((text) => labelCount(scanName(text)))).toEqual([3, 0, 1]);
  });

  test("RFC 4034 section 6.1: canonical order", () => {
    const ordered = [
      "example",
      "a.example",
      "yljkjljk.a.example",
      "Z.a.example",
      "zABC.a.EXAMPLE",
      "z.example",
      "\\001.z.example",
      "*.z.example",
      "\\200.z.example",
    ];
    const names = ordered.map((text) => scanName(text));
    expect(names.toReversed().sort(compareNames).map(nameToApi)).toEqual(ordered);
  });

  test("the order is total and ignores case", () => {
    fc.assert(
      fc.property(wireNames, wireNames, (a, b) => {
        expect(Math.sign(compareNames(a, b))).toBe(0 - Math.sign(compareNames(b, a)));
        expect(compareNames(a, b) === 0).toBe(Buffer.compare(lowerName(a), lowerName(b)) === 0);
        expect(compareNames(lowerName(a), a)).toBe(0);
      }),
    );
  });
});
