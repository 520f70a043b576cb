/** Commands for the host that were pointed at a place without a store. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runCreate, runList, runResume, runSuspend } from "./accounts.ts";
import { runExport, runRotate } from "./store-moves.ts";
import { runClearWhitelist } from "./store-rescue.ts";
import { configOfStore } from "./stores.ts";
import { runInvite, runReset } from "./users.ts";

const empty = mkdtempSync(join(tmpdir(), "fairlead-stores-"));
afterAll(() => rmSync(empty, { recursive: true }));

test.each([
  ["account create", (data: string) => runCreate("second", { data })],
  ["account list", (data: string) => runList({ data })],
  ["account suspend", (data: string) => runSuspend("first", { data })],
  ["account resume", (data: string) => runResume("first", { data })],
  ["user invite", (data: string) => runInvite("admin", { data })],
  ["user reset-2fa", (data: string) => runReset("admin", { data })],
  ["store export", (data: string) => runExport(join(empty, "file"), { data })],
  ["store rotate", (data: string) => runRotate({ data })],
  ["store clear-whitelist", (data: string) => runClearWhitelist({ data })],
])("%s says that there is no store, and makes none", async (_, run) => {
  const absent = join(empty, "data");
  for (const data of [empty, absent]) {
    await expect(run(data)).rejects.toThrow(`there is no store in ${data}: name its directory with --data or --config`);
  }
  expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []]);
});

test("a store of one's own is not looked for in a directory", () => {
  const databaseUrl = "postgres://db.example/fairlead";
  expect(configOfStore({ data: join(empty, "data"), databaseUrl })).toMatchObject({ databaseUrl });
});
