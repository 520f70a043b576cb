/** The text of entries for people. */
import { expect, test } from "vitest";
import type { ActivityRow } from "../../write/activity/store.ts";
import { nameOf, whoOf, wordsOf } from "./words.ts";

const row = (resource: unknown, before: unknown = null): ActivityRow => ({
  ...{
    account_id: "a",
    id: "e",
    timestamp: 0,
    resource_type: "record",
    resource_id: "r",
    user_id: "u",
    user_name: "ops",
  },
  ...{ user_type: "apikey", action: "update", address: null, zone: "", resource, before },
});
const answers = [{ answer: [10, "mx.example."], id: "1", meta: {} }];

test("the caller and the resource are named", () => {
  expect(whoOf(row({}))).toBe("ops (apikey)");
  const names = [
    { zone: "a.example", domain: "www.a.example", type: "A" },
    { zone: "a.example", records: [] },
    { name: "a key" },
    "text",
  ].map((resource) => nameOf(row(resource)));
  expect(names).toEqual(["www.a.example A", "a.example", "a key", "r"]);
});

test.each([
  [
    "a new resource",
    { zone: "a.example", ttl: 60, link: null, tags: {}, answers },
    null,
    "ttl: 60\nanswers: 10 mx.example.",
  ],
  ["a change", { ttl: 60 }, { ttl: 30 }, "ttl: 30 \u2192 60"],
  ["an added field", { link: "b.example" }, { link: null }, "link: none \u2192 b.example"],
  ["a change within objects", { a: { b: { c: 1 }, d: 2 } }, { a: { b: { c: 3 }, d: 2 } }, "a.b.c: 3 \u2192 1"],
  [
    "a change of answers",
    { answers: [{ ...answers[0], meta: { up: true } }] },
    { answers },
    'answers: 10 mx.example. \u2192 10 mx.example. {"meta":{"up":true}}',
  ],
  [
    "a change of records",
    { records: [] },
    { records: [{ domain: "b.example", type: "A", ttl: 1 }] },
    "records: b.example A \u2192 none",
  ],
  [
    "a change with fields that were too large",
    { ttl: 60, records: [], omitted: ["settings"] },
    { ttl: 30, settings: { a: 1 }, omitted: ["records"] },
    "too large to store: settings, records\nttl: 30 \u2192 60",
  ],
  [
    "a new resource with fields that were too large",
    { ttl: 60, omitted: ["records"] },
    null,
    "too large to store: records\nttl: 60",
  ],
  ["a resource without fields", "text", null, ""],
])("%s is described in words", (_, resource, before, words) => {
  expect(wordsOf(row(resource, before))).toBe(words);
});

test("long values are cut", () => {
  expect(wordsOf(row({ note: "x".repeat(10_000) })).length).toBeLessThan(200);
});

test("fields may be named like built-in properties, such as `constructor`", () => {
  const before = { tags: { hasOwnProperty: "c" }, toLocaleString: "d" };
  const words = wordsOf(row({ tags: { constructor: "a", toString: [] } }, before));
  expect(words.split("\n").toSorted()).toEqual([
    "tags.constructor: none \u2192 a",
    "tags.hasOwnProperty: c \u2192 none",
    "tags.toString: none \u2192 none",
    "toLocaleString: d \u2192 none",
  ]);
});

test("no value takes more than a line, and no entry more than a page", () => {
  expect(wordsOf(row({ note: `a${"\n".repeat(500)}b` }))).toBe("note: a b");
  const tags = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`t${n}`, "v"]));
  const lines = wordsOf(row({ tags }, { tags: {} })).split("\n");
  expect([lines.length, lines[0], lines.at(-1)]).toEqual([31, "tags.t0: none \u2192 v", "\u2026"]);
  expect(nameOf(row({ name: "a\nb" }))).toBe("a b");
});

test("a change set has the names of its zones", () => {
  expect(nameOf(row({ id: "c", zones: [{ zone: "a.example" }, { zone: "b.example" }] }))).toBe("a.example, b.example");
});
