/** Imports of a running service: killed in the middle, and larger than its memory limit. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { memoryOf } from "../../../test/machine/proc.ts";
import { type Service, service } from "../../../test/service/kit.ts";
import { rolesOf } from "../../../test/service/roles.ts";
import { clusterBelow, urlOf } from "../../storage/embedded/cluster.ts";

const patient = { timeout: 60_000, interval: 50 };

function* lines(records: number): Generator<string> {
  yield "$TTL 600\n@ SOA ns.example. admin.example. 1 2h 1h 2w 5m\n";
  for (let n = 0; n < records; n++) yield `host${n} A 10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}\n`;
}

const fileOf = (records: number) => Buffer.from([...lines(records)].join(""));

async function put(running: Service, path: string, file: Buffer) {
  const reply = await fetch(`${running.url}/v1/import/zonefile/${path}`, {
    method: "PUT",
    headers: { "X-SERVICE-Key": running.key },
    body: file,
  });
  return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
}

async function storeOf({ data }: Service): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: urlOf(clusterBelow(data)) });
  // the service stops first
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const countOf = async (store: pg.Client, table: string) =>
  Number((await store.query(`select count(*) from ${table}`)).rows[0].count);

/** Blocks the process that stores the part with this number until the lock in the store is released. */
async function stopAtPart(store: pg.Client, part: number): Promise<void> {
  await store.query("select pg_advisory_lock(1)");
  await store.query(`
    create function stop() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
    create trigger stop before insert on change_part for each row when (new.part = ${part}) execute function stop()`);
}

test("an import that is killed in the middle is never visible, leaves nothing, and its job shows it", async () => {
  const data = mkdtempSync(join(tmpdir(), "fairlead-import-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  await using running = await service({ data });
  const store = await storeOf(running);
  await stopAtPart(store, 2);
  const { body: job } = await put(running, "killed.example?async=true", fileOf(30_000));
  await expect.poll(() => countOf(store, "change_part"), patient).toBe(2);
  expect(await countOf(store, "record")).toBe(10_000);
  expect(await running.ask("host1.killed.example A")).toEqual([]);
  const [control] = rolesOf(running).control;
  process.kill(control!, "SIGKILL");
  await expect.poll(() => rolesOf(running).control[0], patient).not.toBe(control);
  await running.ready();
  await expect
    .poll(async () => (await running.api("GET", `import/zonefile/${job["id"]}`)).body, patient)
    .toMatchObject({
      percent: 100,
      result: "error",
      response_code: 503,
      status: expect.stringContaining("interrupted"),
    });
  await store.query("select pg_advisory_unlock(1)");
  const left = async () => {
    const counts: number[] = [];
    for (const table of ["record", "change_part", "zone_load", "zone"]) counts.push(await countOf(store, table));
    return counts;
  };
  await expect.poll(left, patient).toEqual([0, 0, 0, 0]);
  const again = await put(running, "killed.example", fileOf(30_000));
  expect(again.status).toBe(200);
  await expect.poll(() => running.ask("host29999.killed.example A"), patient).toHaveLength(1);
}, 240_000);

test("300,000 records are one change, without any process holding them at once", async () => {
  await using running = await service();
  // code loaded and compiled at the first import is not counted as growth
  expect((await put(running, "first.example", fileOf(20_000))).status).toBe(200);
  await expect.poll(() => running.ask("host19999.first.example A"), patient).toHaveLength(1);
  const pids = [rolesOf(running).control[0]!, rolesOf(running).edge[0]!];
  const before = pids.map((pid) => memoryOf(pid).now);
  const { status, headers, body } = await put(running, "large.example", fileOf(300_000));
  expect([status, (body["records"] as unknown[]).length]).toEqual([200, 2500]);
  await expect.poll(() => running.ask("host299999.large.example A"), patient).toHaveLength(1);
  const [control, edge] = pids.map((pid, i) => memoryOf(pid).most - before[i]!);
  // as JSON the records would be 75 MB, and several times that as objects
  expect(control).toBeLessThan(250);
  expect(edge).toBeLessThan(250);
  const change = (await running.api<{ serials: object }>("GET", `changes/${headers.get("x-fairlead-change")}`)).body;
  expect(Object.keys(change.serials)).toEqual([body["id"]]);
  // the export, measured from the current maximum
  writeFileSync(`/proc/${pids[0]}/clear_refs`, "5");
  const { now } = memoryOf(pids[0]!);
  const file = await fetch(`${running.url}/v1/export/zonefile/large.example`, {
    headers: { "X-SERVICE-Key": running.key },
  });
  let octets = 0;
  for await (const piece of file.body!) octets += piece.length;
  expect(octets).toBe(Number(file.headers.get("content-length")));
  expect(octets).toBeGreaterThan(10_000_000);
  // usually some 50 MB; garbage is collected later on a busy machine, and all records at once would need far more
  expect(memoryOf(pids[0]!).most - now).toBeLessThan(200);
}, 240_000);
