/** The first start, and later starts with its store. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { silent, testStore } from "../../test/store/store.ts";
import { insertAccount, insertZone } from "../../test/store/writes.ts";
import { systemClock } from "../lib/clock.ts";
import { firstKey } from "../lib/files/credentials.ts";
import { secretsFrom } from "../lib/secrets.ts";
import { findKeyByHash } from "./access/store.ts";
import { bootstrap, firstSteps } from "./bootstrap.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-first-"));
afterAll(() => rmSync(directory, { recursive: true }));
const secrets = secretsFrom([randomBytes(32)]);
const store = await testStore();
const given = { store, secrets, clock: systemClock, directory };
const own = "the-key-of-the-operator";

test("the first start creates a working key, and later starts leave it unchanged", async () => {
  await bootstrap({ ...given, apiKey: own, log: silent });
  await bootstrap({ ...given, apiKey: undefined, log: silent });
  expect(firstKey(directory)).toBe(own);
  expect(await findKeyByHash(store.db, secrets.hash(own))).toMatchObject({ name: "first key" });
});

test("a key that is given later and unknown to the store causes a warning", async () => {
  const said: string[] = [];
  const log = pino({}, { write: (line: string) => said.push(line) });
  await bootstrap({ ...given, apiKey: own, log });
  expect(said).toEqual([]);
  await bootstrap({ ...given, apiKey: "another-key-of-theirs", log });
  expect(said.join()).toContain("--api-key applies only to the first start");
});

test("first steps are shown for a store without zones and with a working key", async () => {
  expect(await firstSteps(given)).toEqual({ hasKey: true, hasZones: false });
  await insertZone(store, await insertAccount(store), "example.com");
  expect(await firstSteps(given)).toEqual({ hasKey: true, hasZones: true });
  expect(await firstSteps({ ...given, secrets: secretsFrom([randomBytes(32)]) })).toMatchObject({ hasKey: false });
});
