/** An edge whose connection to the store loses packets, in a network namespace: it misses nothing and reports its lag. */
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Namespace } from "../../machine/namespace.ts";
import type { Daemon } from "../../machine/processes.ts";
import { node, type Service, service, tree } from "../../service/kit.ts";
import { testDatabase } from "../../store/store.ts";
import { EdgeProcess } from "./edge-process.ts";
import type { Seen } from "./loss/watch.ts";
import { metric } from "./metrics.ts";

/** Ports inside the network namespace, where no other process uses any. */
const ports = { store: 5432, dns: 5300, metrics: 9001 };
const zone = "loss.example";
const counter = `count.${zone}`;
const writes = 60;
/**
 * An edge that reports itself as current has all writes older than these milliseconds, with `slack` for a busy machine.
 */
const current = 2000;
const slack = 5000;
const patient = { timeout: 240_000, interval: 100 };
const chain = "inet loss in";
/** Not in the path of an ordinary user. */
const nft = "/usr/sbin/nft";

let running: Service;
let network: Namespace;
let edge: EdgeProcess;
let watcher: Daemon;
const others: Daemon[] = [];
const seen: Seen[] = [];

function start(script: string, ...args: readonly (string | number)[]): Daemon {
  const daemon = network.start(node, [join(tree, "test/flows/wire/loss", script), ...args.map(String)]);
  others.push(daemon);
  return daemon;
}

beforeAll(async () => {
  const databaseUrl = await testDatabase();
  running = await service({ flags: ["--database-url", databaseUrl] });
  await running.zone(zone);
  await running.put(zone, `${counter} TXT`, ["0"]);
  const setup = ["ip link set lo up", `${nft} add table inet loss`];
  setup.push(`${nft} add chain ${chain} '{ type filter hook input priority 0; }'`);
  network = await Namespace.create("net", setup);
  const { pathname, searchParams } = new URL(databaseUrl);
  const relay = start(
    "relay.ts",
    ports.store,
    join(searchParams.get("host")!, `.s.PGSQL.${searchParams.get("port") ?? 5432}`),
  );
  await relay.until(() => relay.printed.includes("ready"));
  const url = `postgres://${searchParams.get("user")}@127.0.0.1:${ports.store}${pathname}`;
  const flags = ["--dns", `127.0.0.1:${ports.dns}`, "--workers", "1"];
  edge = new EdgeProcess({ databaseUrl: url, metrics: ports.metrics, flags, inside: network.inside });
  watcher = start("watch.ts", ports.dns, ports.metrics, counter);
  let rest = "";
  watcher.child.stdout!.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    seen.push(...lines.map((line): Seen => JSON.parse(line)));
  });
  await watcher.until(() => seen.at(-1)?.count === 0, patient.timeout);
}, 300_000);

afterAll(async () => {
  for (const daemon of others) await daemon.end();
  await edge?.stop();
  await network?.end();
  await running?.stop();
});

/** From now on, this many percent of the packets between edge and store are lost, in both directions. */
async function lose(percent: number): Promise<void> {
  const chance = percent < 100 ? `numgen random mod 100 < ${percent} ` : "";
  const rule = (port: string) => `add rule ${chain} tcp ${port} ${ports.store} ${chance}drop`;
  const rules = [`flush chain ${chain}`, ...(percent > 0 ? [rule("dport"), rule("sport")] : [])];
  await network.output(nft, [rules.join("; ")]);
}

/** Makes one change: sets the counter, and adds a record. */
async function write(count: number): Promise<void> {
  const answers = [{ answer: ["192.0.2.1"] }];
  const put = [
    { domain: counter, type: "TXT", answers: [{ answer: [String(count)] }] },
    { domain: `n${count}.${zone}`, type: "A", answers },
  ];
  await running.must("POST", `zones/${zone}/records`, { put });
}

/** Writes one change after another; returns the time at which each was acknowledged. */
async function writeAll(first: number): Promise<Map<number, number>> {
  const acknowledged = new Map<number, number>();
  for (let count = first; count < first + writes; count++) {
    await write(count);
    acknowledged.set(count, Date.now());
    await delay(50);
  }
  return acknowledged;
}

const revision = () => metric(`${running.operator}/metrics`, "fairlead_edge_revision");
const last = () => seen.at(-1)!;

test.each([
  [20, 1],
  [50, 1001],
])(
  "with %i of a hundred packets lost, all changes arrive in order",
  async (percent, first) => {
    const from = seen.length;
    await lose(percent);
    const acknowledged = await writeAll(first);
    await expect.poll(() => last().count, patient).toBe(first + writes - 1);
    await expect.poll(() => last().behind, patient).toBe(0);
    await lose(0);
    const since = seen.slice(from);
    const revisions = since.map((one) => one.revision);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    const counts = since.map(({ count }) => count);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    for (const { at, count } of since.filter(({ behind }) => behind === 0)) {
      const due = [...acknowledged].filter(([, when]) => when < at - current - slack).map(([written]) => written);
      expect(count).toBeGreaterThanOrEqual(Math.max(0, ...due));
    }
    const names = [...acknowledged.keys()].flatMap((count) => [`n${count}.${zone}`, "A"]);
    const query = ["@127.0.0.1", "-p", `${ports.dns}`, "+short", ...names];
    expect((await network.output("dig", query)).trim().split("\n")).toEqual(Array(writes).fill("192.0.2.1"));
    expect(last().revision).toBe(await revision());
  },
  300_000,
);

test("an edge that receives nothing reports since when, still answers, and catches up later", async () => {
  const before = last();
  await lose(100);
  await write(2001);
  await expect.poll(() => last().behind, patient).toBeGreaterThan(4);
  expect(last()).toMatchObject({ count: before.count, revision: before.revision });
  await lose(0);
  await expect.poll(() => last().count, patient).toBe(2001);
  await expect.poll(() => last().behind, patient).toBe(0);
  expect(last().revision).toBe(await revision());
}, 600_000);
