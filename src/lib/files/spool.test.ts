/** The size limit of files. */
import { expect, test } from "vitest";
import { invalid } from "../problem.ts";
import { bounded } from "./spool.ts";

test("pieces above the limit are refused", async () => {
  const megabyte = 1024 * 1024;
  const lengths = async (pieces: number) => {
    const made = async function* () {
      for (let n = 0; n < pieces; n++) yield new Uint8Array(megabyte);
    };
    const tooLarge = (megabytes: number) => invalid(`more than ${megabytes} MB`);
    const found: number[] = [];
    for await (const { length } of bounded(made(), 2 * megabyte, tooLarge)) found.push(length);
    return found;
  };
  expect(await lengths(2)).toEqual([megabyte, megabyte]);
  await expect(lengths(3)).rejects.toThrow("more than 2 MB");
});
