/** Commands that work on the store of this host: missing stores, unreadable files and help. */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { isThere } from "../../lib/files.ts";
import { readMasterKeys } from "../../lib/secrets.ts";
import { runCreate, runList, runOperator, runResume, runSuspend } from "../commands/account/manage.ts";
import { storeCommand } from "../commands/store/command.ts";
import { runExport } from "../commands/store/export.ts";
import { runClearAllowLists } from "../commands/store/rescue.ts";
import { runRotate } from "../commands/store/rotate.ts";
import { runInvite, runReset } from "../commands/user/access.ts";
import { configOfStore } from "./stores.ts";

const empty = mkdtempSync(join(tmpdir(), "fairlead-stores-"));
afterAll(() => rmSync(empty, { recursive: true }));

test.each([
  ["account create", (data: string) => runCreate("second", { data })],
  ["account list", (data: string) => runList({ data })],
  ["account suspend", (data: string) => runSuspend("first", { data })],
  ["account resume", (data: string) => runResume("first", { data })],
  ["account operator", (data: string) => runOperator("first", "on", { data })],
  ["user invite", (data: string) => runInvite("admin", { data })],
  ["user reset-2fa", (data: string) => runReset("admin", { data })],
  ["store export", (data: string) => runExport(join(empty, "file"), { data })],
  ["store rotate", (data: string) => runRotate({ data })],
  ["store clear-allow-lists", (data: string) => runClearAllowLists({ data })],
])("%s reports a missing store, and creates none", async (_, run) => {
  const absent = join(empty, "data");
  for (const data of [empty, absent]) {
    await expect(run(data)).rejects.toThrow(`no store in ${data}: name its directory with --data or --config`);
  }
  expect([existsSync(absent), readdirSync(empty)]).toEqual([false, []]);
});

test("an unreadable file is not treated as missing", () => {
  // not even root can follow a link that leads to itself
  const circle = join(empty, "circle");
  symlinkSync(circle, circle);
  onTestFinished(() => rmSync(circle));
  for (const read of [() => configOfStore({ data: circle }), () => readMasterKeys(circle), () => isThere(circle)]) {
    expect(read).toThrow(`${circle} cannot be read: ELOOP`);
  }
});

test("an export replaces an existing file only with --force", async () => {
  const file = join(empty, "there");
  writeFileSync(file, "kept");
  onTestFinished(() => rmSync(file));
  await expect(runExport(file, { databaseUrl: "postgres://127.0.0.1:1/none" })).rejects.toThrow(
    `${file} already exists: --force replaces it`,
  );
});

test("help lists the flags that locate the store, and none of the service's", () => {
  const help = storeCommand().commands.map((command) => command.helpInformation());
  expect(help).toHaveLength(5);
  for (const text of help) {
    expect(text).toMatch(/--data [\s\S]*--database-url [\s\S]*--master-key-file /);
    expect(text).not.toMatch(/--dns|--rate-limit/);
  }
});

test("with --database-url, no store is looked for in the data directory", () => {
  const databaseUrl = "postgres://db.example/fairlead";
  expect(configOfStore({ data: join(empty, "data"), databaseUrl })).toMatchObject({ databaseUrl });
});
