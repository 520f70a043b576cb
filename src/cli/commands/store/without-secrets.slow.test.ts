/** `fairlead store export --without-secrets`: a lost master key leaves zones and records to be had. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Ended, output, run } from "../../../../test/machine/processes.ts";
import { node, service, tree } from "../../../../test/service/kit.ts";
import { emptyDatabase } from "../../../../test/store/store.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-without-secrets-"));
afterAll(() => rmSync(directory, { recursive: true }));
const formats = join(tree, "test/formats/3");
const passphrase = ["--passphrase-file", join(formats, "passphrase")];
const [lost, file, data] = [join(directory, "lost"), join(directory, "file"), join(directory, "data")];

const store = (...args: readonly string[]) => [join(tree, "bin/fairlead.js"), "store", ...args];
let imported: Ended;

beforeAll(async () => {
  await output(node, store("import", join(formats, "export"), "--data", lost, ...passphrase));
  rmSync(join(lost, "master.key"));
  expect((await run(node, store("export", file, "--data", lost))).err).toContain(
    "If it is lost, say --without-secrets",
  );
  const both = await run(node, store("export", file, "--data", lost, "--without-secrets", ...passphrase));
  expect(both.err).toContain("give only one of them");
  const out = await output(node, store("export", file, "--data", lost, "--without-secrets"));
  expect(out).toContain("secrets left out: 1 of api_key, 1 of tsig_key");
  expect(existsSync(join(lost, "master.key"))).toBe(false);
  imported = await run(node, store("import", file, "--data", data));
});

test("the import names what lost its secret, and what to do", () => {
  expect([imported.code, imported.err]).toEqual([0, ""]);
  const named = imported.out.split("\n").filter((line) => line.startsWith("{"));
  const account = { account: "first", account_id: expect.stringMatching(/^\w{24}$/) };
  expect(named.map((line) => JSON.parse(line))).toEqual([
    { ...account, api_key: "first key" },
    { ...account, tsig_key: "key.formats" },
  ]);
  expect(imported.out).toContain(
    `A key of the first account with every right is in ${join(data, "credentials.json")}.`,
  );
  expect(imported.out).toContain("API keys have new strings");
  expect(imported.out).toContain("TSIG keys and keys of secondary zones have new secrets");
  expect(imported.out).not.toContain("second factor");
});

test("the key of the import manages and the zones are answered; earlier keys have new strings", async () => {
  await using running = await service({ data });
  await expect.poll(() => running.ask("www.formats.example A")).toEqual(["www.formats.example. 3600 IN A 192.0.2.1"]);
  await running.put("formats.example", "new.formats.example A", ["192.0.2.77"]);
  const keys = await running.must<{ name: string; key: string }[]>("GET", "account/apikeys");
  expect(keys.map(({ name }) => name)).toEqual([
    "first key",
    expect.stringMatching(/^first key after the import of 20/),
  ]);
  const { key: former } = JSON.parse(readFileSync(join(formats, "credentials.json"), "utf8"));
  const status = async (key: string) =>
    (await fetch(`${running.url}/v1/zones`, { headers: { "X-SERVICE-Key": key } })).status;
  expect(await Promise.all([status(former), status(keys[0]!.key)])).toEqual([401, 200]);
  const [entry] = await running.must<{ user_name: string }[]>("GET", "account/activity?limit=2");
  expect(JSON.stringify(entry)).toContain("formats.example");
});

test("a file without secrets is not imported over the first key of another store", async () => {
  const before = readFileSync(join(data, "credentials.json"), "utf8");
  const again = await run(node, store("import", file, "--data", data, "--database-url", await emptyDatabase()));
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("has the key of another store: move it away")]);
  expect(readFileSync(join(data, "credentials.json"), "utf8")).toBe(before);
});
