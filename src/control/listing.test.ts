/** Where pages of listings begin. */
import { expect, test } from "vitest";
import { printCursor, scanCursor } from "./listing.ts";

test("a cursor is read as it was written, also of names with slashes", () => {
  const cursors: readonly (readonly [string, string])[] = [
    ["0/25.2.0.192.in-addr.arpa", "PTR"],
    ["www.example.com", "A"],
    ["", ""],
  ];
  for (const [first, second] of cursors) expect(scanCursor(printCursor(first, second))).toEqual([first, second]);
});

test("none begins before everything, and one without a slash before all of its name", () => {
  expect(scanCursor(undefined)).toEqual(["", ""]);
  expect(scanCursor("www.example.com")).toEqual(["www.example.com", ""]);
});
