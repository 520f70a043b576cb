/** Differences of entries of the activity log. */
import { expect, test } from "vitest";
import type { ActivityEntry } from "../../api/types.ts";
import { differencesOf, omittedOf } from "./difference.ts";

const entry = (action: string, resource: unknown, before?: unknown) =>
  ({ action, resource, ...(before === undefined ? {} : { before }) }) as ActivityEntry;

/** Each difference as one line. */
const lines = (one: ActivityEntry) =>
  differencesOf(one).map(({ path, before = "", after = "" }) => `${path.join(" › ")}: ${before} -> ${after}`);

const answer = (...parts: (string | number)[]) => ({ id: `id of ${parts.join(" ")}`, answer: parts });

test("a change has its changed fields only, with the values before and after", () => {
  const one = entry("update", { id: "1", ttl: 300, zone: "example.com", link: null }, { ttl: 3600, link: "a.example" });
  expect(lines(one)).toEqual(["ttl: 3600 -> 300", "link: a.example -> "]);
});

test("an answer that came is one difference, and so is one that went; if it took its place, they are one", () => {
  const mx = (...numbers: number[]) => ({ answers: numbers.map((number) => answer(number, `mx${number}.example`)) });
  expect(lines(entry("update", mx(1, 3, 4), mx(1, 2)))).toEqual([
    "answers › 2 mx2.example: 2 mx2.example -> ",
    "answers › 3 mx3.example:  -> 3 mx3.example",
    "answers › 4 mx4.example:  -> 4 mx4.example",
  ]);
  expect(lines(entry("update", mx(1, 3), mx(1, 2)))).toEqual([
    "answers › 2 mx2.example: 2 mx2.example -> 3 mx3.example",
  ]);
});

test("metadata of an answer that took the place of another is compared with the other's", () => {
  const of = (address: string, meta: object) => ({ answers: [{ ...answer(address), meta }] });
  expect(lines(entry("update", of("192.0.2.9", { up: true, weight: 2 }), of("192.0.2.1", { up: true })))).toEqual([
    "answers › 192.0.2.1: 192.0.2.1 -> 192.0.2.9",
    "answers › 192.0.2.1 › meta › weight:  -> 2",
  ]);
});

test("another order of the same filters is a difference", () => {
  const filters = (...names: string[]) => ({ filters: names.map((filter) => ({ filter, config: {} })) });
  expect(lines(entry("update", filters("shuffle", "up"), filters("up", "shuffle")))).toEqual([
    "filters › order: up, shuffle -> shuffle, up",
  ]);
});

test("metadata of an answer is compared key by key", () => {
  const of = (meta: object) => ({ answers: [{ ...answer("192.0.2.1"), meta }] });
  expect(lines(entry("update", of({ up: { feed: "f1" } }), of({ up: true, weight: 2 })))).toEqual([
    "answers › 192.0.2.1 › meta › up: true -> ",
    "answers › 192.0.2.1 › meta › weight: 2 -> ",
    "answers › 192.0.2.1 › meta › up › feed:  -> f1",
  ]);
});

test("what was created is all new, and what was deleted is all gone", () => {
  const resource = { domain: "www.example.com", type: "A", answers: [answer("192.0.2.1")], filters: [], link: null };
  const [name, type, one] = ["www.example.com", "A", "192.0.2.1"];
  expect(lines(entry("create", resource))).toEqual([
    `domain:  -> ${name}`,
    `type:  -> ${type}`,
    `answers › ${one}:  -> ${one}`,
  ]);
  expect(lines(entry("delete", resource))).toEqual([
    `domain: ${name} -> `,
    `type: ${type} -> `,
    `answers › ${one}: ${one} -> `,
  ]);
});

test("records of a write of many are compared by name and type", () => {
  const record = (domain: string, ttl: number) => ({ domain, zone: "example.com", type: "A", ttl });
  const one = entry(
    "bulk",
    { records: [record("a.example.com", 60), record("b.example.com", 60)] },
    {
      records: [record("a.example.com", 3600), record("c.example.com", 60)],
    },
  );
  expect(lines(one)).toEqual([
    "records › a.example.com A › ttl: 3600 -> 60",
    "records › c.example.com A: c.example.com A -> ",
    "records › c.example.com A › ttl: 60 -> ",
    "records › b.example.com A:  -> b.example.com A",
    "records › b.example.com A › ttl:  -> 60",
  ]);
});

test("letters that do not show, or turn the text around, appear as numbers", () => {
  expect(lines(entry("create", { note: "a\u202eb\u0000" }))).toEqual(["note:  -> a\\u{202e}b\\u{0}"]);
});

test("fields that were too large are named", () => {
  expect(omittedOf(entry("bulk", { omitted: ["records"] }, { omitted: ["records", "settings"] }))).toEqual([
    "records",
    "settings",
  ]);
});
