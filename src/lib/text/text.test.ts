/** Untrusted text in files, terminals and markup. */
import { expect, test } from "vitest";
import { clipped, inert, jsonText, markup, oneLine, plain, printable, visible } from "./text.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\tx", "'\tx"],
  ["\rx", "'\rx"],
  ["  =1", "'  =1"],
  ["\u00a0=1", "'\u00a0=1"],
  ["\u200b=1", "'\u200b=1"],
  ["\ufeff=1", "'\ufeff=1"],
  ["\u0001=1", "'=1"],
  ["\uff1d1", "'\uff1d1"],
  ["a\n=1", "a\n'=1"],
  ["a\r\n @b", "a\r\n' @b"],
  ["a=1", "a=1"],
  ["192.0.2.1", "192.0.2.1"],
  ["", ""],
])("%j becomes %j in a spreadsheet", (text, safe) => {
  expect(inert(text)).toBe(safe);
});

test("markup is escaped", () => {
  expect(markup(`<a href="x" b='y'>&amp;\u0000\u001b\ufffe\ud800`)).toBe(
    "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\ufffd",
  );
});

test("all control characters but tabs and line ends are removed", () => {
  expect(plain("a\tb\r\nc\u0000\u0008\u007f\u009b")).toBe("a\tb\r\nc");
});

test("text that is too long ends in an ellipsis", () => {
  expect([clipped("abc", 3), clipped("abcd", 3)]).toEqual(["abc", "ab\u2026"]);
});

test("invisible characters and changes of direction are escaped", () => {
  expect(visible("a\u202etxt.exe\u200b\u2066\ufeff b")).toBe("a\\u{202e}txt.exe\\u{200b}\\u{2066}\\u{feff} b");
  expect(visible("\u05e9\u05dc a\u0301 \u{1f468}\u200d\u{1f469}")).toBe(
    "\u05e9\u05dc a\u0301 \u{1f468}\u200d\u{1f469}",
  );
});

test("escaped JSON parses to the same value", () => {
  const value = { "a\u202e": ["\u00ad", "x"] };
  expect(jsonText(value)).toBe('{"a\\u202e":["\\u00ad","x"]}');
  expect(JSON.parse(jsonText(value))).toEqual(value);
});

test("several lines become one", () => {
  expect(oneLine("a\r\n\n\tb\u2028c d")).toBe("a b c d");
});

test("printable text is one line without terminal control characters", () => {
  expect(printable("a\tb\r\n\u001b[1m\u009b\u2028\u202e\ud800")).toBe(
    "a\\u{9}b\\u{d}\\u{a}\\u{1b}[1m\\u{9b}\\u{2028}\\u{202e}\ufffd",
  );
});
