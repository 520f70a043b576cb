/** The difference of lists of lines. */
import { expect, test } from "vitest";
import { diffLines } from "./line-diff.ts";

const signs = { same: " ", gone: "-", new: "+" } as const;
const diff = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ is, text }) => `${signs[is]}${text}`)
    .join("");

test("lines that stay are kept together, in order", () => {
  expect(diff("abc", "abc")).toBe(" a b c");
  expect(diff("abc", "axc")).toBe(" a-b+x c");
  expect(diff("", "ab")).toBe("+a+b");
  expect(diff("ab", "")).toBe("-a-b");
  expect(diff("abcd", "bd")).toBe("-a b-c d");
});

test("long lists are compared without their order", () => {
  const long = Array.from({ length: 500 }, (_, i) => `${i}`);
  const changed = diffLines(long, [...long.slice(1), "new"]).filter(({ is }) => is !== "same");
  expect(changed).toEqual([
    { is: "gone", text: "0" },
    { is: "new", text: "new" },
  ]);
});
