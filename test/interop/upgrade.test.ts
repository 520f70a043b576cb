/**
 * Two versions of Fairlead side by side behind HAProxy: controls and edges are replaced one by one under writes and
 * queries, and the way back is refused, or works.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { version } from "../../src/config/version.ts";
import { ask } from "../engine/states.ts";
import { loadAddress, loadName, startLoad } from "../faults/load.ts";
import { freePort, run } from "../machine/processes.ts";
import { seededRandom } from "../machine/random.ts";
import { Balancer } from "../operate/balancer.ts";
import { Part } from "../operate/part.ts";
import { addMigration, laterVersion, raiseFormats } from "../operate/versions.ts";
import { type Client, clientOf } from "../service/client.ts";
import { node, tree } from "../service/kit.ts";
import { testDatabase } from "../store/store.ts";

const patiently = { timeout: 60_000, interval: 100 };
const zone = "upgrade.example";
const directory = mkdtempSync(join(tmpdir(), "fairlead-upgrade-"));
const masterKey = join(directory, "control1/master.key");

const beside = laterVersion("8.0.0");
const newer = laterVersion("9.0.0");
addMigration(newer, "9999_later");
raiseFormats(newer);

interface Placed {
  readonly part: Part;
  readonly url: string;
  readonly dns: number;
  readonly readiness: number;
}

const url = await testDatabase();
const parts: Part[] = [];
let balancer: Balancer;
let client: Client;
let controls: readonly Placed[];
let edges: readonly Placed[];

async function place(role: "control" | "edge", name: string): Promise<Placed> {
  const [http, dns, readiness] = [await freePort(), await freePort(), await freePort()];
  const flags = [
    ...["--database-url", url, "--data", join(directory, name), "--metrics", `127.0.0.1:${readiness}`],
    ...["--master-key-file", masterKey],
    ...(role === "edge"
      ? ["--dns", `127.0.0.1:${dns}`, "--workers", "1"]
      : ["--http", `127.0.0.1:${http}`, "--rate-limit", "1000000/1"]),
  ];
  const part = new Part({ role, flags, readiness });
  parts.push(part);
  return { part, url: `http://127.0.0.1:${http}`, dns, readiness };
}

beforeAll(async () => {
  controls = [
    await place("control", "control1"),
    await place("control", "control2"),
    await place("control", "control3"),
  ];
  edges = [await place("edge", "edge1"), await place("edge", "edge2")];
  const ports = controls.map((control) => Number(new URL(control.url).port));
  balancer = await Balancer.start(directory, { controls: ports, edges });
  for (const { part } of [...controls.slice(0, 2), ...edges]) await part.start();
  const { key } = JSON.parse(readFileSync(join(directory, "control1/credentials.json"), "utf8"));
  client = clientOf(`http://127.0.0.1:${balancer.api}`, key);
  await client.must("PUT", `zones/${zone}`, {});
  await client.must("PUT", "zones/load.example", {});
  await client.must("PUT", `zones/load.example/${loadName}/A`, { answers: [{ answer: [loadAddress] }] });
  for (const { dns } of edges) {
    await vi.waitFor(async () => expect(await ask(at(dns), `${loadName} A`)).toBe(`NOERROR ${loadAddress}`), patiently);
  }
});

afterAll(async () => {
  await balancer?.[Symbol.asyncDispose]();
  for (const part of parts) await part.end();
  for (const copy of [beside, newer]) copy[Symbol.dispose]();
  rmSync(directory, { recursive: true, force: true });
});

const at = (port: number) => ({ address: "127.0.0.1", port, timeout: 1000, attempts: 1 });

/** Writes through HAProxy; a write that fails is repeated, as clients do. */
class Writing {
  readonly acknowledged: string[] = [];
  failures = 0;
  readonly #end = new AbortController();
  readonly #ended = this.#write();

  async #write(): Promise<void> {
    for (let number = 0; !this.#end.signal.aborted; await delay(20)) {
      const path = `zones/${zone}/n${number}.${zone}/A`;
      const reply = await client.call("POST", path, { answers: [{ answer: ["192.0.2.1"] }] }).catch(() => undefined);
      const made = reply?.status === 404 ? await put(client, `n${number}`) : reply?.status;
      if (made === 200) this.acknowledged.push(`n${number++}`);
      else this.failures++;
    }
  }

  async end(): Promise<void> {
    this.#end.abort();
    await this.#ended;
  }
}

const put = async (to: Client, label: string) =>
  (
    await to
      .call("PUT", `zones/${zone}/${label}.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] })
      .catch(() => undefined)
  )?.status;

/** Asks the edges in turn over UDP, as a resolver does: the other one when there is no answer. Returns the numbers of questions and of those without one. */
async function resolve(signal: AbortSignal): Promise<{ asked: number; lost: number }> {
  let [asked, lost] = [0, 0];
  while (!signal.aborted) {
    const [first, second] = asked++ % 2 === 0 ? edges : edges.toReversed();
    const question = (port: number) => ask(at(port), `${loadName} A`);
    const answer = await question(first!.dns).catch(() => question(second!.dns).catch(String));
    if (answer !== `NOERROR ${loadAddress}`) lost++;
    await delay(5);
  }
  return { asked, lost };
}

/** Runs `act` under queries: through HAProxy over TCP, and over UDP. None may be without an answer. */
async function withoutLoss(act: () => Promise<void>): Promise<void> {
  const load = await startLoad({ port: balancer.dns, rate: 0, streams: 8, random: seededRandom(1) });
  const end = new AbortController();
  const resolving = resolve(end.signal);
  await act();
  end.abort();
  const [{ tcp }, udp] = [await load.end(), await resolving];
  expect(Math.min(tcp.asked, udp.asked)).toBeGreaterThan(100);
  expect({ tcp: tcp.lost + tcp.wrong, udp: udp.lost }).toEqual({ tcp: 0, udp: 0 });
}

async function replaceEdges(sources: string): Promise<void> {
  for (const { part } of edges) {
    await part.end();
    await part.start(sources);
    // until HAProxy has seen it
    await delay(1500);
  }
}

/** Expects that both edges have everything that was acknowledged. */
async function expectAnswered(names: readonly string[]): Promise<void> {
  for (const { dns } of edges) {
    for (const name of [names[0], ...names.slice(-20)]) {
      const answer = () => ask(at(dns), `${name}.${zone} A`).catch(String);
      await expect.poll(answer, patiently).toBe("NOERROR 192.0.2.1");
    }
  }
}

async function expectStored(names: readonly string[]): Promise<void> {
  const { records } = await client.must<{ records: { domain: string }[] }>("GET", `zones/${zone}?records_limit=10000`);
  const stored = new Set(records.map(({ domain }) => domain.split(".")[0]));
  expect(names.filter((name) => !stored.has(name))).toEqual([]);
}

const direct = (control: Placed) => clientOf(control.url, client.key);

test("with one schema, both versions take writes, and no query is lost while edges are replaced", async () => {
  const writing = new Writing();
  const [first, second] = [controls[0]!, controls[1]!];
  await first.part.end();
  await first.part.start(beside.path);
  for (const [n, control] of [first, second].entries()) {
    expect(await put(direct(control), `direct${n}`)).toBe(200);
  }
  await withoutLoss(() => replaceEdges(beside.path));
  for (const control of [first, second]) expect(await control.part.isReady()).toBe(true);
  await writing.end();
  expect(writing.acknowledged.length).toBeGreaterThan(50);
  await expectStored(["direct0", "direct1", ...writing.acknowledged]);
  await expectAnswered(["direct0", "direct1", ...writing.acknowledged]);
  await second.part.end();
  await second.part.start(tree);
});

const reason = "the store was changed by a newer version of Fairlead (9999_later): upgrade this process";

test("a newer schema stops the older controls, HAProxy passes them over, and edges are replaced without a lost query", async () => {
  const [first, second, third] = [controls[0]!, controls[1]!, controls[2]!];
  const writing = new Writing();
  await expect.poll(() => writing.acknowledged.length, patiently).toBeGreaterThan(20);
  await third.part.start(newer.path);
  for (const control of [first, second]) {
    expect(await direct(control).call("GET", "zones")).toMatchObject({ status: 503, body: { message: reason } });
    expect(await control.part.isReady()).toBe(false);
  }
  // two checks of HAProxy, a second apart
  await delay(3000);
  const failures = writing.failures;
  const acknowledged = writing.acknowledged.length;
  await expect.poll(() => writing.acknowledged.length, patiently).toBeGreaterThan(acknowledged + 50);
  expect(writing.failures).toBe(failures);
  for (const { part } of [first, second]) expect(part.messages.filter((text) => text === reason)).toHaveLength(1);

  // the older edges answer from what they have, and say why
  for (const { part, dns } of edges) {
    await expect.poll(() => part.printed, patiently).toContain("in format 2 was received; this version reads format 1");
    expect(await ask(at(dns), `${loadName} A`)).toBe(`NOERROR ${loadAddress}`);
  }
  await withoutLoss(() => replaceEdges(newer.path));
  await writing.end();
  await expectStored(writing.acknowledged);
  await expectAnswered(writing.acknowledged);
});

/** Every row of every table, as text. */
async function stored(): Promise<string[]> {
  const store = new pg.Client({ connectionString: url });
  await store.connect();
  const { rows: tables } = await store.query("select tablename from pg_tables where schemaname = 'public' order by 1");
  const content: string[] = [];
  for (const { tablename } of tables) {
    const { rows } = await store.query(`select t::text as row from "${tablename}" t order by 1`);
    content.push(...rows.map(({ row }) => `${tablename} ${row}`));
  }
  await store.end();
  return content;
}

test("going back: an older control and an older import are refused untouched, and an older edge answers", async () => {
  const [first, , third] = [controls[0]!, controls[1]!, controls[2]!];
  for (const part of parts) await part.end();
  const before = await stored();
  await expect(first.part.start(tree)).rejects.toThrow(
    "the store was changed by a newer version of Fairlead (9999_later): use that version",
  );
  expect(await stored()).toEqual(before);

  const fairlead = (sources: string, ...args: readonly string[]) =>
    run(node, [join(sources, "bin/fairlead.js"), "store", ...args], { cwd: sources });
  const [file, other] = [join(directory, "export"), join(directory, "imported")];
  const place = ["--database-url", url, "--master-key-file", masterKey];
  expect(await fairlead(newer.path, "export", file, ...place)).toMatchObject({ code: 0 });
  const refused = await fairlead(tree, "import", file, "--data", other, "--from-master-key-file", masterKey);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Fairlead 9.0.0 (schema 9999_later) wrote the file, which this version cannot read");
  expect(refused.err).toContain(`Fairlead ${version} (schema `);

  // the snapshots and the last changes are of the newer version, the tables are read as they are
  const edge = edges[1]!;
  await edge.part.start(tree);
  expect(edge.part.printed).toContain("it has format 2; this version reads 1");
  expect(await ask(at(edge.dns), `${loadName} A`)).toBe(`NOERROR ${loadAddress}`);
  await third.part.start();
  expect(await put(client, "last")).toBe(200);
  await expect.poll(() => edge.part.printed, patiently).toContain("in format 2 was received");
  expect(await ask(at(edge.dns), `${loadName} A`)).toBe(`NOERROR ${loadAddress}`);
  await edge.part.end();
  for (const { part } of edges) await part.start(newer.path);
  await expectAnswered(["last"]);
});
