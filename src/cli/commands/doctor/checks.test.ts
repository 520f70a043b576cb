/** Checks of `fairlead doctor` on this machine, with real faults. */
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "../../../config/config.ts";
import { masterKeys } from "../../../lib/secrets.ts";
import type { Finding } from "../../terminal/finding.ts";
import { checkDisk } from "./disk.ts";
import { checkLimits } from "./limits.ts";
import { checkPorts } from "./ports.ts";
import { runningHere } from "./processes.ts";
import { checkRights } from "./rights.ts";

const place = mkdtempSync(join(tmpdir(), "fairlead-doctor-"));
afterAll(() => rmSync(place, { recursive: true }));

const nobody = runningHere({ data: place, databaseUrl: undefined });
const directory = (name: string) => {
  const path = join(place, name);
  mkdirSync(path, { mode: 0o700 });
  return path;
};
const faults = (findings: readonly Finding[]) =>
  findings.filter(({ state }) => state !== "ok").map(({ state, text, advice }) => [state, text, advice]);

test("a port in use is failed, and names the program", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const endpoint = { address: "127.0.0.1", port };
  const own = { http: endpoint, metrics: endpoint, dns: [], dot: [], doh: [] };
  const found = faults(await checkPorts(own, nobody));
  taken.close();
  expect(found[0]).toEqual([
    "failed",
    expect.stringMatching(
      new RegExp(`^127.0.0.1:${port} \\(--http\\) is in use by \\S.*, process ${process.pid} \\(TCP\\)$`),
    ),
    expect.stringContaining(`systemctl status ${process.pid}`),
  ]);
});

test("an address of another machine is failed", async () => {
  const endpoint = { address: "192.0.2.1", port: 5300 };
  const own = { http: endpoint, metrics: endpoint, dns: [endpoint], dot: [], doh: [] };
  const found = await checkPorts(own, nobody);
  expect(found.map(({ state }) => state)).toEqual(["failed", "failed", "failed"]);
  expect(found[2]!.text).toBe("--dns: 192.0.2.1:5300 is not an address of this machine");
});

const rightsOf = (data: string, flags: object = {}) => faults(checkRights(readConfig({ data, ...flags }, {})));

test("rights are ok for a private directory with a private key, and for one that is not there", () => {
  const data = directory("private");
  masterKeys(join(data, "master.key"));
  expect(rightsOf(data)).toEqual([]);
  expect(rightsOf(join(place, "none"))).toEqual([]);
});

test("a directory and a master key that others may read are warnings", () => {
  const data = directory("open");
  masterKeys(join(data, "master.key"));
  chmodSync(data, 0o755);
  chmodSync(join(data, "master.key"), 0o644);
  expect(rightsOf(data)).toEqual([
    ["warning", `others may enter ${data}`, `chmod 700 ${data}`],
    ["warning", `others may read ${join(data, "master.key")}`, `chmod 600 ${join(data, "master.key")}`],
  ]);
});

test("a master key that is missing beside a store, or is damaged, is failed", () => {
  const data = directory("keyless");
  mkdirSync(join(data, "store"));
  expect(rightsOf(data)).toEqual([["failed", expect.stringContaining("master.key is missing"), expect.any(String)]]);
  writeFileSync(join(data, "master.key"), "short\n", { mode: 0o600 });
  expect(rightsOf(data)).toEqual([["failed", expect.stringContaining("32 octets"), expect.any(String)]]);
});

test("a file of the configuration that is not there is failed, with its flag", () => {
  const data = directory("files");
  const geo = join(place, "none.csv");
  expect(rightsOf(data, { geo: [geo] })).toEqual([["failed", expect.stringContaining("--geo:"), expect.any(String)]]);
});

test.runIf(process.getuid?.() === 0)("a file of another user in the directory is failed", () => {
  const data = directory("mixed");
  writeFileSync(join(data, "credentials.json"), "{}");
  chownSync(join(data, "credentials.json"), 65_534, 65_534);
  expect(rightsOf(data)).toEqual([
    ["failed", `in ${data}, credentials.json belongs to another user`, `chown -R root: ${data}`],
  ]);
});

test("the disk of a directory that is not there is that of the directory above it", () => {
  expect(checkDisk({ data: join(place, "a/b/c") })[0]!.text).toContain("are free for");
});

test("limits are those of this process if no service runs", () => {
  const found = checkLimits(nobody);
  expect(found).toHaveLength(3);
  expect(found[1]!.text).toMatch(/^a service that is started from here may have \d+|Infinity open files/);
});
