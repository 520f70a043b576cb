/** Names in Unicode. */
import { expect, test } from "vitest";
import { unicodeName } from "./unicode-name.ts";

const cases: readonly [name: string, unicode: string | null][] = [
  ["xn--bcher-kva.example", "b\u00fccher.example"],
  ["_a.xn--bcher-kva.xn--p1ai", "_a.b\u00fccher.\u0440\u0444"],
  ["www.example.com", null],
  ["a\\.xn--bcher-kva.example", "a\\.b\u00fccher.example"],
  ["xn--.example", null],
  ["xn--zzzzzzzz.example", null],
  ["axn--bcher-kva.example", null],
];

test.each(cases)("%s", (name, unicode) => {
  expect(unicodeName(name)).toBe(unicode);
});
