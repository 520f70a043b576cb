import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fill } from "../../../test/store/filled-store.ts";
import { testStore } from "../../../test/store/store.ts";
import { addMasterKey, masterKeyId, masterKeys, readMasterKeys, secretsFrom } from "../../lib/secrets.ts";
import { masterKeysOf } from "./master-key.ts";
import { rotate } from "./sealed.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-master-key-"));
afterAll(() => rmSync(directory, { recursive: true }));
const fileOf = (name: string) => join(directory, name);

const used = fileOf("used");
const [own] = masterKeys(used);
const filled = await testStore();
await fill(filled, secretsFrom([own!]));

test("an empty store gets a new key", async () => {
  const file = fileOf("new");
  const keys = await masterKeysOf(await testStore(), file);
  expect(keys).toEqual(readMasterKeys(file));
});

test("a store with secrets gets no new key: the message names the file and the missing key", async () => {
  const file = fileOf("missing");
  const asked = masterKeysOf(filled, file);
  await expect(asked).rejects.toThrow(`${file}: the file does not exist`);
  await expect(asked).rejects.toThrow(`sealed with master key ${masterKeyId(own!)}`);
  expect(existsSync(file)).toBe(false);
});

test("a file without the key of the store is refused", async () => {
  const file = fileOf("other");
  const [other] = masterKeys(file);
  await expect(masterKeysOf(filled, file)).rejects.toThrow(`it contains ${masterKeyId(other!)}`);
});

test("a newer key that seals nothing yet comes second until the rotation", async () => {
  const file = fileOf("rotating");
  copyFileSync(used, file);
  addMasterKey(file);
  const [newer] = readMasterKeys(file);
  expect(await masterKeysOf(filled, file)).toEqual([own, newer]);

  const rotated = await testStore();
  await fill(rotated, secretsFrom([own!]));
  await rotate(rotated, secretsFrom([newer!, own!]));
  expect(await masterKeysOf(rotated, file)).toEqual([newer, own]);
  await expect(masterKeysOf(rotated, used)).rejects.toThrow(masterKeyId(newer!));
});
