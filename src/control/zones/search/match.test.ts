/** Matches of search terms, and the cost of hostile terms. */
import { describe, expect, test } from "vitest";
import { likeInJson, likePattern, matches, parseTerm } from "./match.ts";

describe("a term", () => {
  const cases: [term: string, text: string, found: boolean][] = [
    ["exam", "www.example.com", true],
    ["EXAM", "www.example.com", true],
    ["www*com", "www.example.com", true],
    ["com*www", "www.example.com", false],
    ["*", "anything", true],
    ["", "anything", true],
    ["a%b", "a1b", false],
    ["a_b", "a1b", false],
    ["a.b", "a1b", false],
    ["aa*aa", "aaa", false],
  ];
  for (const [term, text, found] of cases) {
    test(`"${term}" ${found ? "finds" : "does not find"} "${text}"`, () =>
      expect(matches(parseTerm(term), text)).toBe(found));
  }
});

test("special characters of LIKE are escaped", () => {
  expect(likePattern(parseTerm("50%_\\*x"))).toBe("%50\\%\\_\\\\%x%");
  expect(likePattern(parseTerm(""))).toBe("%");
});

test("the pattern for JSON has only the characters that JSON does not escape", () => {
  expect(likeInJson(parseTerm('v="1"*äx'))).toBe("%v=%1%x%");
});

test("many wildcards take time linear in the text", () => {
  const term = parseTerm(`${"*a".repeat(5000)}b`);
  const before = process.threadCpuUsage();
  expect(matches(term, "a".repeat(100_000))).toBe(false);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(50);
});
