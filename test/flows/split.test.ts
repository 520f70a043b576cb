/**
 * Two control nodes on one store, one of them cut off: that one reports it and accepts no write, and the other
 * continues.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { credentialsFile } from "../../src/lib/files/credentials.ts";
import { Daemon, freePort } from "../machine/processes.ts";
import { type Answer, type Client, clientOf } from "../service/client.ts";
import { asStarted, node, tree } from "../service/kit.ts";
import { testDatabase } from "../store/store.ts";
import { StoreLink } from "../store/store-link.ts";

interface Node {
  readonly client: Client;
  readiness(): Promise<number>;
}

const directory = mkdtempSync(join(tmpdir(), "fairlead-split-"));
const data = join(directory, "apart");
const patiently = { timeout: 60_000 };

async function start(name: string, storeUrl: string): Promise<Node> {
  const http = `127.0.0.1:${await freePort()}`;
  const place = ["--data", join(directory, name), "--master-key-file", join(data, "master.key"), "--http", http];
  const flags = [...place, "--database-url", storeUrl, "--log", "warn", "--rate-limit", "1000000/1"];
  flags.push("--metrics", `127.0.0.1:${await freePort()}`);
  const daemon = new Daemon(node, [join(tree, "bin/fairlead.js"), "control", ...flags, ...asStarted]);
  afterAll(async () => void (await daemon.end()));
  const readiness = async () => (await fetch(`http://${http}/readyz`)).status;
  await daemon.until(async () => (await readiness().catch(() => 0)) === 200, patiently.timeout);
  const { key } = JSON.parse(readFileSync(credentialsFile(data), "utf8"));
  return { client: clientOf(`http://${http}`, key), readiness };
}

const url = await testDatabase();
const link = await StoreLink.open(url);
afterAll(async () => {
  await link[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});
// the node that starts first gives writes their revisions
const apart = await start("apart", link.url);
const other = await start("other", url);

const zone = "split.example";
await apart.client.must("PUT", `zones/${zone}`, {});

const pathOf = (label: string) => `zones/${zone}/${label}.${zone}/A`;
const put = ({ client }: Node, label: string) =>
  client.call("PUT", pathOf(label), { answers: [{ answer: ["192.0.2.1"] }] });
const statusOf = async ({ client }: Node, label: string) => (await client.call("GET", pathOf(label))).status;

/** The revision that a write gets, from whichever node gives them. */
async function revisionOf({ client }: Node, { status, headers }: Answer): Promise<number> {
  expect(status).toBe(200);
  const change = () => client.must<{ revision: number | null }>("GET", `changes/${headers.get("x-fairlead-change")}`);
  await expect.poll(async () => (await change()).revision, patiently).not.toBeNull();
  return (await change()).revision!;
}

test.each([
  ["refused", () => link.sever()],
  ["silently dropped", () => link.silence()],
])("one node's calls to the store are %s", async (how, cutOff) => {
  const labels = [1, 2, 3].map((n) => `${how.replaceAll(" ", "-")}-${n}`);
  await expect.poll(() => apart.readiness(), patiently).toBe(200);
  cutOff();
  await expect.poll(() => apart.readiness(), patiently).toBe(503);
  for (const label of labels) {
    expect((await put(apart, label)).status).toBe(503);
    expect((await put(other, `${label}-other`)).status).toBe(200);
  }
  expect(await other.readiness()).toBe(200);
  const before = await revisionOf(other, await put(other, `${how.replaceAll(" ", "-")}-numbered`));
  link.restore();
  await expect.poll(() => apart.readiness(), patiently).toBe(200);
  for (const one of [apart, other]) {
    for (const label of labels) {
      expect(await statusOf(one, label)).toBe(404);
      expect(await statusOf(one, `${label}-other`)).toBe(200);
    }
  }
  const after = await revisionOf(apart, await put(apart, labels[0]!));
  expect(after).toBeGreaterThan(before);
  expect(await statusOf(other, labels[0]!)).toBe(200);
});
