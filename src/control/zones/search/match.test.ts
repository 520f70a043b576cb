/** What a search term finds, and that hostile terms cost no time. */
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

test("what LIKE gives a meaning to is escaped", () => {
  expect(likePattern(parseTerm("50%_\\*x"))).toBe("%50\\%\\_\\\\%x%");
  expect(likePattern(parseTerm(""))).toBe("%");
});

test("in JSON, pieces are looked for that JSON writes as they are", () => {
  expect(likeInJson(parseTerm('v="1"*äx'))).toBe("%v=%1%x%");
});

test("many wildcards cost no more than the text is long", () => {
  const term = parseTerm(`${"*a".repeat(5000)}b`);
  const before = process.threadCpuUsage();
  expect(matches(term, "a".repeat(100_000))).toBe(false);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(50);
});
