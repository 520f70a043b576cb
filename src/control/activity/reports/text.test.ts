/** What texts of others become in files. */
import { expect, test } from "vitest";
import { clipped, inert, markup, plain } from "./text.ts";

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
])("%j in a spreadsheet is %j", (text, safe) => {
  expect(inert(text)).toBe(safe);
});

test("markup is text", () => {
  expect(markup(`<a href="x" b='y'>&amp;\u0000\u001b\ufffe\ud800`)).toBe(
    "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\ufffd",
  );
});

test("of control characters, tabs and ends of lines stay", () => {
  expect(plain("a\tb\r\nc\u0000\u0008\u007f\u009b")).toBe("a\tb\r\nc");
});

test("what is too long ends in an ellipsis", () => {
  expect([clipped("abc", 3), clipped("abcd", 3)]).toEqual(["abc", "ab\u2026"]);
});
