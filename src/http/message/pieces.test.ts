/** Long texts in pieces. */
import { expect, test } from "vitest";
import { etagOf } from "./etag.ts";
import { encoded, PieceWriter } from "./pieces.ts";

const written = (texts: readonly string[]) => {
  const to = new PieceWriter();
  for (const text of texts) to.add(text);
  return to.pieces();
};

test("texts are joined into pieces below the size from which strings have memory of their own", () => {
  const texts = Array.from({ length: 1000 }, (_, n) => `${n} ${"x".repeat(160)}`);
  const pieces = written(texts);
  expect(pieces.join("")).toBe(texts.join(""));
  expect(pieces.length).toBeGreaterThan(2);
  for (const piece of pieces) expect(piece.length).toBeLessThan(64 * 1024);
  expect(written([])).toEqual([]);
});

test("the tag of pieces is that of the whole text, also where it says when a thing was last used", () => {
  for (const used of ["", '"last_access":17,']) {
    const items = Array.from({ length: 2000 }, (_, n) => `{${used}"id":"${n}${"y".repeat(40)}"},`);
    expect(etagOf(written(items))).toBe(etagOf(items.join("")));
  }
});

test("ASCII is sent as it is, and everything else as UTF-8", () => {
  expect(encoded("abc")).toEqual({ text: "abc", octets: 3, encoding: "latin1" });
  expect(encoded("ä")).toEqual({ text: "ä", octets: 2, encoding: "utf8" });
});
