/** A half-open connection to the store, which neither carries data nor ends: it is replaced by a new one. */
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Mirror } from "../../../test/store/mirror.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount, insertZone, putRecord } from "../../../test/store/writes.ts";
import { systemClock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { Sequencer } from "../../storage/sequencer/sequencer.ts";
import { followPostgres } from "./changes.ts";

const store = await testStore();
const sequencer = new Sequencer(store, { log: silent, clock: systemClock });
const directory = mkdtempSync(join(tmpdir(), "fairlead-link-"));
/** The socket of the store's server, from its URL. */
const [, host = ""] = /[?&]host=([^&]*)/.exec(store.url) ?? [];
const there = join(decodeURIComponent(host), ".s.PGSQL.5432");

/** Pairs of connected sockets. */
const links: (readonly [Socket, Socket])[] = [];
const relay = createServer((near) => {
  const far = connect(there);
  near.pipe(far);
  far.pipe(near);
  for (const socket of [near, far]) socket.on("error", () => {});
  links.push([near, far]);
});

beforeAll(() => new Promise<void>((resolve) => relay.listen(join(directory, basename(there)), resolve)));

afterAll(async () => {
  for (const socket of links.flat()) socket.destroy();
  relay.close();
  await sequencer.close();
  rmSync(directory, { recursive: true, force: true });
});

test("a half-open connection is replaced, and no change is missed", async () => {
  const zone = await insertZone(store, await insertAccount(store), "link.example");
  const mirror = new Mirror();
  const url = store.url.replace(host, encodeURIComponent(directory));
  const subscription = await followPostgres(url, mirror, { log: silent, id: newId() });
  const put = async (label: string) => {
    await putRecord(store, zone, { label, address: "192.0.2.1" });
    sequencer.wake();
  };
  const shown = () => [...mirror.records.values()].map(({ domain }) => domain);
  await put("before");
  await expect.poll(shown).toContain("before.link.example");
  const cut = links.length;
  for (const [near, far] of links) {
    near.unpipe(far);
    far.unpipe(near);
    for (const socket of [near, far]) socket.pause();
  }
  await put("after");
  await expect.poll(shown).toContain("after.link.example");
  expect(links.length).toBeGreaterThan(cut);
  expect(mirror.baselines).toHaveLength(1);
  await subscription.close();
});
