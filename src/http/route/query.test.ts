import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { flag, pairsOf, queryBounds, queryReader } from "./query.ts";
import { Warnings } from "./warnings.ts";

const read = queryReader(
  Type.Object({
    expand: flag("more"),
    max: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    q: Type.Optional(Type.String({ maxLength: 5 })),
    ratio: Type.Optional(Type.Number()),
    networks: Type.Optional(Type.Array(Type.String())),
  }),
);
const query = (text: string) => read(pairsOf(text));

describe("query strings", () => {
  for (const form of ["true", "True", "TRUE", "t", "T", "1", ""]) {
    test(`expand=${form} is true`, () => expect(query(`expand=${form}`)).toEqual({ expand: true }));
  }
  for (const form of ["false", "False", "f", "0"]) {
    test(`expand=${form} is false`, () => expect(query(`expand=${form}`)).toEqual({ expand: false }));
  }
  test("the bare name of a flag is true", () => expect(query("expand")).toEqual({ expand: true }));
  test("unknown parameters are ignored", () => expect(query("x=1&x=2&__proto__=1&y[]=3")).toEqual({}));
  test("text is decoded, with + as a blank", () => expect(query("q=a+%26b")).toEqual({ q: "a &b" }));
  test("numbers are read", () => expect(query("max=7&ratio=0.5")).toEqual({ max: 7, ratio: 0.5 }));
  test("an array contains every value", () => expect(query("networks=1&networks=2")).toEqual({ networks: ["1", "2"] }));

  const wrong: readonly [text: string, message: string][] = [
    ["expand=maybe", 'query parameter "expand" must be true or false'],
    ["max=0", 'query parameter "max" must be an integer from 1 to 100'],
    ["max=1e2", 'query parameter "max" must be an integer from 1 to 100'],
    ["max=", 'query parameter "max" must be an integer from 1 to 100'],
    ["max=99999999999999999999", 'query parameter "max" must be an integer'],
    ["q=abcdef", 'query parameter "q" must be a string of at most 5 characters'],
    ["q=a&q=b", 'query parameter "q" must be given once'],
    ["q[]=a", 'query parameter "q" must be given once'],
    ["q%5B%24ne%5D=a", 'query parameter "q" must be given once'],
    ["q=%ff", "not percent-encoded UTF-8"],
    ["q=%00", "not percent-encoded UTF-8"],
    ["%zz=1", "not percent-encoded UTF-8"],
  ];
  const known = Type.Object({ start: Type.Optional(Type.String()) });
  test.each([
    [{ query: known, page: 10 }, "strat=1", 'query parameter "strat" is not known (known here: start, limit, after)'],
    [{ query: known }, "start=1&limit=2", 'query parameter "limit" is not known (known here: start)'],
    [{}, "dry_run", 'query parameter "dry_run" is not known (this endpoint has no parameters)'],
  ] as const)("unknown parameters are refused on exact routes and to strict callers: %#", (route, text, message) => {
    const bounds = queryBounds({ ...route, exactQuery: true });
    expect(() => bounds(pairsOf(text), new Warnings(false))).toThrow(message);
    expect(() => queryBounds(route)(pairsOf(text), new Warnings(true))).toThrow(message);
    const warnings = new Warnings(false);
    queryBounds(route)(pairsOf(text), warnings);
    const [found] = message.split(" is not known");
    expect(warnings.list).toEqual([expect.stringMatching(new RegExp(`^${found}: is not known and has no effect \\(`))]);
  });
  test.each(["start=1&limit=2&strict=true", "start[]=1"])("known parameters are accepted: %s", (text) => {
    queryBounds({ query: known, page: 10, exactQuery: true })(pairsOf(text), new Warnings(true));
  });

  for (const [text, message] of wrong) test(`${text} is refused`, () => expect(() => query(text)).toThrow(message));
});
