/**
 * Calls to the store that fail one by one: a write is done as a whole or not at all. All writes: test/faults/calls.ts.
 */
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { everyCallCut } from "../faults/anomalies.ts";
import { writePaths } from "../faults/write-paths.ts";
import { startApi } from "../service/api.ts";
import { testDatabase } from "../store/store.ts";
import { type Cut, StoreLink } from "../store/store-link.ts";

const url = await testDatabase();
const link = await StoreLink.open(url);
const client = await startApi({ storeUrl: link.url });
const store = new pg.Client({ connectionString: url });
await store.connect();
afterAll(async () => {
  await store.end();
  await link[Symbol.asyncDispose]();
});

const cases: readonly (readonly [name: string, cut: Cut])[] = [
  ["a record is changed", "unsent"],
  ["a record is changed", "unanswered"],
  ["a change set over two zones is applied", "unanswered"],
  ["a zone is deleted", "unsent"],
  ["an API key is rotated", "unanswered"],
];

test.each(cases)("%s as a whole or not at all, whichever of its calls is %s", async (name, cut) => {
  const path = writePaths.find((one) => one.name === name)!;
  const { wrong, calls, done, undone } = await everyCallCut(path, cut, { client, link, store });
  expect(wrong).toEqual([]);
  expect(done + undone).toBeGreaterThan(calls / 2);
});
