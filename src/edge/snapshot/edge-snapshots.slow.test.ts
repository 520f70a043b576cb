import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ask } from "../../../test/engine/states.ts";
import { startEdgeAt } from "../../../test/service/edge.ts";
import { insertFeeds, push } from "../../../test/service/feeds.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone, putRecord } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { Sequencer } from "../../storage/sequencer/sequencer.ts";
import { postgresSite } from "../../sync/postgres/site.ts";
import type { EdgeOptions } from "../edge.ts";
import { LineSnapshots } from "./line-snapshots.ts";
import { liveLines } from "./live-snapshot.ts";
import { snapshotFiles } from "./names.ts";

const nowhere = "postgres://127.0.0.1:1/none";
const slow = { timeout: 60_000 };
const soon = { timeout: 60_000 };
/** After a snapshot, nothing is written for twenty times as long as it took, which may be long on a busy machine. */
const late = { timeout: 60_000 };

const store = await testStore();
const other = await testStore();
const account = await insertAccount(store);

let directory: string;
const cleanups: (() => unknown)[] = [];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "fairlead-edge-"));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  for (const each of [store, other]) {
    const sequencer = new Sequencer(each, { log: silent, clock: systemClock });
    cleanups.push(() => sequencer.close());
  }
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: Partial<EdgeOptions> = {}) {
  const edge = await startEdgeAt(store.url, { snapshots: { directory, every: 20 }, ...options });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= edge.close());
  cleanups.push(close);
  const server = { ...edge.addresses[0]!, timeout: 3000 };
  return { edge, close, ask: (question: string) => ask(server, question) };
}

test("an edge starts without its store, and follows the store once it is reachable", slow, async () => {
  const zone = await insertZone(store, account, "away.example");
  await putRecord(store, zone, { label: "www", address: "192.0.2.1" });
  const [feed_id = ""] = await insertFeeds(store, account, [{}]);
  await push(store, [{ feed_id, data: { up: false } }]);
  const first = await start();
  await first.edge.ready;
  await expect.poll(() => first.ask("www.away.example A"), soon).toBe("NOERROR 192.0.2.1");
  await first.close();
  const { revision, live } = first.edge.status();
  expect(readdirSync(directory).toSorted()).toEqual(expect.arrayContaining(["values", "zones"]));

  const away = await start({ site: postgresSite(nowhere) });
  await away.edge.ready;
  expect(await away.ask("www.away.example A")).toBe("NOERROR 192.0.2.1");
  expect(away.edge.status()).toMatchObject({ ready: true, revision, live: { revision: live.revision } });
  expect(away.edge.status().behind).toBeGreaterThan(0);
  expect(away.edge.status().snapshot).toMatchObject({ revision, failures: 0 });
  expect(await away.edge.metrics()).toContain(`fairlead_edge_snapshot_revision ${revision}\n`);
  expect(await away.edge.metrics()).toMatch(/^fairlead_edge_live_values 1$/m);
  await away.close();

  await putRecord(store, zone, { label: "www", address: "192.0.2.2" });
  const back = await start();
  await expect.poll(() => back.ask("www.away.example A"), soon).toBe("NOERROR 192.0.2.2");
  expect(back.edge.status().revision).toBeGreaterThan(revision);
});

test("a snapshot of values that failed is written again, without a further change", async () => {
  const [feed_id = ""] = await insertFeeds(store, account, [{}]);
  await push(store, [{ feed_id, data: { up: false } }]);
  const { edge } = await start();
  await edge.ready;
  const isKept = () => {
    const { revision } = edge.status().live;
    return revision > 0 && new LineSnapshots(liveLines, directory, silent).read()?.position.revision === revision;
  };
  await expect.poll(isKept, late).toBe(true);
  // the failed write removes this link
  symlinkSync("/dev/full", snapshotFiles(directory, "values").writing);
  await push(store, [{ feed_id, data: { up: true } }]);
  await expect.poll(() => edge.status().snapshot?.failures, late).toBe(1);
  await expect.poll(isKept, late).toBe(true);
});

test("changes are written to snapshots while the edge runs", async () => {
  const zone = await insertZone(store, account, "killed.example");
  const first = await start();
  await first.edge.ready;
  await putRecord(store, zone, { label: "www", address: "192.0.2.3" });
  await expect.poll(() => first.ask("www.killed.example A"), soon).toBe("NOERROR 192.0.2.3");
  await expect.poll(() => first.edge.status().snapshot?.revision, late).toBe(first.edge.status().revision);
  const second = await start({ site: postgresSite(nowhere) });
  await second.edge.ready;
  expect(await second.ask("www.killed.example A")).toBe("NOERROR 192.0.2.3");
});

test("an edge answers from the snapshot of another store until the baseline has arrived", slow, async () => {
  await insertZone(store, account, "first.example");
  const first = await start();
  await first.edge.ready;
  await expect.poll(() => first.ask("first.example SOA"), soon).toMatch(/^NOERROR/);
  await first.close();
  const zone = await insertZone(other, await insertAccount(other), "second.example");
  // as many changes as in the other store, so that the revisions are equal
  for (let n = 0; n < 40; n++) await putRecord(other, zone, { label: `n${n}`, address: "192.0.2.4" });
  const second = await start({ site: postgresSite(other.url) });
  await second.edge.ready;
  await expect.poll(() => second.ask("first.example SOA"), soon).toBe("REFUSED");
  expect(await second.ask("n0.second.example A")).toBe("NOERROR 192.0.2.4");
});

test("an edge whose snapshots are all damaged starts from the store", slow, async () => {
  for (const name of ["zones", "zones.previous", "values"]) writeFileSync(join(directory, name), "no snapshot");
  await insertZone(store, account, "damaged.example");
  const { edge, ask } = await start();
  await edge.ready;
  await expect.poll(() => ask("damaged.example SOA"), soon).toMatch(/^NOERROR/);
});
