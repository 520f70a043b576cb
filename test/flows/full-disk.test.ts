/** A full disk: no acknowledged write is lost, DNS continues, and everything works when there is room again. */
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ask } from "../engine/states.ts";
import { Namespace } from "../machine/namespace.ts";
import { freePort } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { testDatabase } from "../store/store.ts";
import { EdgeProcess } from "./wire/edge-process.ts";
import { metric } from "./wire/metrics.ts";

const megabytes = 256;
const zone = "full.example";
const text = "x".repeat(200);
/** Records of one request: a few hundred kilobytes of the store's log. */
const batch = 500;

const putBatch = (running: Service, round: number) =>
  running.api("POST", `zones/${zone}/records`, {
    put: Array.from({ length: batch }, (_, n) => ({
      domain: `n${n}.r${round}.${zone}`,
      type: "TXT",
      answers: [{ answer: [text] }],
    })),
  });

/** Puts records until one is refused as expected; returns the acknowledged rounds. */
async function putUntilRefused(running: Service): Promise<number[]> {
  const acknowledged: number[] = [];
  for (let round = 0; round < 500; round++) {
    const { status, body } = await putBatch(running, round);
    if (status === 200) acknowledged.push(round);
    else {
      expect([503, 507]).toContain(status);
      expect(body).toMatchObject({ message: expect.any(String) });
      return acknowledged;
    }
  }
  throw new Error("the disk is never full");
}

/** Expects that records can be put again, and that API and DNS return every acknowledged batch. */
async function assertRecovered(running: Service, acknowledged: readonly number[]): Promise<void> {
  const last = 500;
  await running.daemon.until(async () => (await putBatch(running, last)).status === 200, 60_000);
  for (const round of [...acknowledged, last]) {
    const name = `n${batch - 1}.r${round}.${zone}`;
    expect((await running.api("GET", `zones/${zone}/${name}/TXT`)).status).toBe(200);
    await running.daemon.until(async () => (await running.ask(`${name} TXT`)).length === 1, 60_000);
  }
}

async function prepare(running: Service): Promise<void> {
  await running.zone(zone);
  await running.put(zone, `www.${zone} A`, ["192.0.2.1"]);
  await running.daemon.until(async () => (await running.ask(`www.${zone} A`)).length === 1);
}

const answer = `www.${zone}. 3600 IN A 192.0.2.1`;

/**
 * The start of a command line that changes mounts with shell commands and then runs the rest; works for any user. `$0`
 * is `directory`.
 */
const mounted = (directory: string, ...commands: readonly string[]) => [
  ...["unshare", "--user", "--map-root-user", "--mount", "sh", "-ec"],
  [...commands, 'exec "$@"'].join("; "),
  directory,
];
const small = (size: number, at: string) => `mount -t tmpfs -o size=${size}m,mode=700 none "${at}"`;

/** Fills the disk except for the given megabytes. */
function fill(path: string, left = 0): void {
  for (let size = 1 << 20; size >= 4096; size >>= 1) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  truncateSync(path, statSync(path).size - left * 2 ** 20);
}

test.each([
  ["no room", 0],
  ["room for some records", 10],
])("%s: writes are refused or durably acknowledged, and existing records are still answered", async (_, left) => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-full-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  await using running = await service({ data, inside: mounted(data, small(megabytes, "$0")) });
  await prepare(running);
  const filler = join(running.files, "filler");
  fill(filler, left);
  const acknowledged = await putUntilRefused(running);
  expect(await running.ask(`www.${zone} A`)).toEqual([answer]);
  const readiness = async (path: string) => (await fetch(`${running.operator}/${path}`)).status;
  await expect.poll(() => readiness("readyz/writes"), { timeout: 9000 }).toBe(503);
  expect(await readiness("readyz/answers")).toBe(200);
  rmSync(filler);
  await assertRecovered(running, acknowledged);
});

test("a store that panics because its log has no space restarts with everything that was acknowledged", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-log-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  await (await service({ data })).stop();
  // the store's log gets its own small file system
  const log = '"$0/store/pg_wal"';
  const inside = mounted(
    data,
    "cd /",
    `cp -a ${log} "$0/log"`,
    small(64, "$0/store/pg_wal"),
    `cp -a "$0/log/." ${log}`,
  );
  await using running = await service({ data, inside });
  await prepare(running);
  const filler = join(running.files, "store/pg_wal/filler");
  fill(filler);
  const acknowledged = await putUntilRefused(running);
  await running.daemon.until(() => /"PANIC".*No space left/.test(running.daemon.printed));
  expect(await running.ask(`www.${zone} A`)).toEqual([answer]);
  rmSync(filler);
  await assertRecovered(running, acknowledged);
});

describe("an edge whose disk is full", () => {
  test("follows, counts failed snapshots, and starts from the last good one", async () => {
    const data = mkdtempSync(join(tmpdir(), "fairlead-edge-"));
    onTestFinished(() => rmSync(data, { recursive: true, force: true }));
    const databaseUrl = await testDatabase();
    await using running = await service({ flags: ["--database-url", databaseUrl] });
    await prepare(running);
    const disk = await Namespace.create("mount", [small(24, data)]);
    onTestFinished(() => disk.end());
    const port = await freePort();
    const start = async (url: string) => {
      const flags = ["--dns", `127.0.0.1:${port}`];
      const edge = new EdgeProcess({ databaseUrl: url, metrics: await freePort(), flags, inside: disk.inside, data });
      await edge.ready();
      return edge;
    };
    const answers = async (address: string) => {
      const asked = () => ask({ address: "127.0.0.1", port }, `www.${zone} A`).catch(String);
      await expect.poll(asked).toBe(`NOERROR ${address}`);
    };
    const nowhere = "postgres://127.0.0.1:1/none";
    const first = await start(databaseUrl);
    await answers("192.0.2.1");
    await first.stop();
    const filler = join(`${disk.proc}/root${data}`, "filler");
    fill(filler);
    await running.put(zone, `www.${zone} A`, ["192.0.2.2"]);
    const alone = await start(nowhere);
    await answers("192.0.2.1");
    await alone.stop();
    const full = await start(databaseUrl);
    await answers("192.0.2.2");
    const failures = () => metric(full.metricsUrl, "fairlead_edge_snapshot_failures_total");
    await expect.poll(failures).toBeGreaterThan(0);
    expect(full.daemon.printed).toContain("ENOSPC");
    rmSync(filler);
    await full.stop();
    const last = await start(nowhere);
    await answers("192.0.2.2");
    await last.stop();
  });
});
