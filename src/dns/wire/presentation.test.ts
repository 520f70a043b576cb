/** Entries of a zone file: tokens, quotes, escapes, parentheses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { quote, show, tokenize, unescapeText } from "./presentation.ts";
import { WireError } from "./wire.ts";

const texts = (line: string) =>
  tokenize(line)
    .rest()
    .map((token) => (token.quoted ? `"${token.text}"` : token.text));

describe("tokens", () => {
  test.each([
    ["www 300 IN A 192.0.2.1", ["www", "300", "IN", "A", "192.0.2.1"]],
    ["  a\t b  ", ["a", "b"]],
    ["a ; b", ["a"]],
    ["a;b", ["a"]],
    ["a\\;b \\( c\\ d", ["a\\;b", "\\(", "c\\ d"]],
    ['"a b" c"d "" "e\\"f;("', ['"a b"', 'c"d', '""', '"e\\"f;("']],
    ["( a ; one\n b ; two\r\n c)d", ["a", "b", "c", "d"]],
    ['alpn="h2,h3" x="a b;c" y=', ["alpn=h2,h3", "x=a b;c", "y="]],
    ["AQ== x", ["AQ==", "x"]],
    ["", []],
  ])("%j", (line, tokens) => expect(texts(line)).toEqual(tokens));

  test.each(['"a', 'x="a', "(a", "a)", "a\nb"])("%j is not one entry", (line) => {
    expect(() => tokenize(line)).toThrow(WireError);
  });

  test("are returned in order", () => {
    const tokens = tokenize("a b c");
    expect([tokens.peek()?.text, tokens.next().text, tokens.left, tokens.rest().length, tokens.left]).toEqual([
      "a",
      "a",
      2,
      2,
      0,
    ]);
    expect(() => tokens.next()).toThrow("is missing");
  });
});

describe("escapes", () => {
  test("are decoded, and other characters become UTF-8", () => {
    expect([...unescapeText("a\\;\\000\\255ü\\\\")]).toEqual([0x61, 0x3b, 0, 255, 0xc3, 0xbc, 0x5c]);
    expect([...unescapeText("\\0651\u{1f600}")]).toEqual([0x41, 0x31, 0xf0, 0x9f, 0x98, 0x80]);
  });

  test.each(["\\", "a\\25", "\\256", "\\2x5", "\\ü", "\ud800"])("%j is refused", (text) => {
    expect(() => unescapeText(text)).toThrow(WireError);
  });

  test("a string survives quoting and decoding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (octets) => {
        const token = tokenize(quote(octets)).next();
        expect(token.quoted).toBe(true);
        expect(unescapeText(token.text)).toEqual(octets);
      }),
    );
  });
});

test("a value in a message is quoted and short", () => {
  expect([show("a\n"), show(undefined), show(7)]).toEqual(['"a\\n"', "undefined", "7"]);
  expect(show("x".repeat(1000))).toHaveLength(80);
});
