/** Parts of listings: as many rows as their sizes allow. */
import { expect, test } from "vitest";
import { mostOctets, readPart } from "./parts.ts";

const third = Math.ceil(mostOctets / 3);
/** Reads at most `limit` of rows with these sizes; rows are their own positions. */
const part = (sizes: readonly number[], limit: number) =>
  readPart(
    sizes.slice(0, limit).map((octets, at) => ({ octets, at })),
    limit,
    async ({ at }) => sizes.slice(0, at + 1).map((_, position) => position),
  );

test("a part ends before the row that would be too much, and is then not the last one", async () => {
  expect(await part([third, third, third, 1], 10)).toEqual({ items: [0, 1], isLast: false });
  expect(await part([third, 1, 1], 10)).toEqual({ items: [0, 1, 2], isLast: true });
  expect(await part([1, 1, 1], 3)).toEqual({ items: [0, 1, 2], isLast: false });
});

test("the first row is read, however large it is; no rows are the last part", async () => {
  expect(await part([2 * mostOctets, 1], 10)).toEqual({ items: [0], isLast: false });
  expect(await part([2 * mostOctets], 10)).toEqual({ items: [0], isLast: true });
  expect(await part([], 10)).toEqual({ items: [], isLast: true });
});
