/** Cursors and pages of listings. */
import { describe, expect, test } from "vitest";
import { openPage, pageById, printCursor, scanCursor, shownPage } from "./listing.ts";

test("a cursor is read as it was written, even with slashes in names", () => {
  const cursors: readonly (readonly [string, string])[] = [
    ["0/25.2.0.192.in-addr.arpa", "PTR"],
    ["www.example.com", "A"],
    ["", ""],
  ];
  for (const [first, second] of cursors) expect(scanCursor(printCursor(first, second))).toEqual([first, second]);
});

test("no cursor means the beginning, and a cursor without a slash comes before all records of its name", () => {
  expect(scanCursor(undefined)).toEqual(["", ""]);
  expect(scanCursor("www.example.com")).toEqual(["www.example.com", ""]);
});

describe("a page", () => {
  interface Item {
    readonly id: string;
    readonly text: string;
  }
  const megabyte = 2 ** 20;
  const listed = (number: number, size: number): Item[] =>
    Array.from({ length: number }, (_, i) => ({ id: String(i).padStart(6, "0"), text: "x".repeat(size) }));
  const fetchFrom = (all: readonly Item[]) => async (after: Item | undefined, count: number) => {
    const first = after === undefined ? 0 : all.indexOf(after) + 1;
    return all.slice(first, first + count);
  };
  const ids = (items: readonly Item[]) => items.map(({ id }) => id);

  test("has the requested number of items, and the beginning of the next page", async () => {
    const all = listed(3000, 1);
    const page = await openPage(2500, () => true, fetchFrom(all));
    expect(ids(page.items)).toEqual(ids(all.slice(0, 2500)));
    expect(page.last).toBe(all[2499]);
    expect((await openPage(3000, () => true, fetchFrom(all))).last).toBeUndefined();
  });

  test("is filled with items that the caller may see", async () => {
    const all = listed(5000, 1);
    const page = await openPage(3, ({ id }) => Number(id) % 1500 === 1, fetchFrom(all));
    expect(ids(page.items)).toEqual(["000001", "001501", "003001"]);
    expect(page.last).toBe(all[3001]);
  });

  test("ends earlier when its items are large, and the next page continues there", async () => {
    const all = listed(20, megabyte);
    const first = await pageById({ limit: 20, after: undefined }, ({ limit }) => fetchFrom(all)(undefined, limit));
    expect(ids(first.items)).toEqual(ids(all.slice(0, 15)));
    expect(first.last).toBe(all[14]);
    const rest = await openPage<Item>(
      20,
      () => true,
      (after, count) => fetchFrom(all)(after ?? first.last, count),
    );
    expect([rest.items.length, rest.last]).toEqual([5, undefined]);
  });

  test("has at least one item, however large", async () => {
    const all = [...listed(1, 17 * megabyte), { id: "000001", text: "" }];
    const page = await openPage(2, () => true, fetchFrom(all));
    expect([ids(page.items), page.last?.id]).toEqual([["000000"], "000000"]);
  });

  test("ends earlier when shown items are larger than stored ones", async () => {
    const all = listed(20, 1);
    const large = ({ id }: Item) => ({ id, text: "x".repeat(megabyte) });
    const { shown, last } = await shownPage({ items: all, last: undefined }, large);
    expect([shown.length, last]).toEqual([15, all[14]]);
    expect((await shownPage({ items: all.slice(15), last: undefined }, large)).last).toBeUndefined();
  });
});
