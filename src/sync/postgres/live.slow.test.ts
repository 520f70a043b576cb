import { expect, test } from "vitest";
import { Daemon } from "../../../test/machine/processes.ts";
import { insertFeeds, LiveMirror, storedFeeds } from "../../../test/service/feeds.ts";
import { silent, testStore } from "../../../test/store/store.ts";
import { insertAccount } from "../../../test/store/writes.ts";
import { newId } from "../../lib/ids.ts";
import { followLivePostgres } from "./live.ts";

const store = await testStore();
const account_id = await insertAccount(store);

const revisions = store.db.selectFrom("sequencer").select("revision").where("subject", "=", "live");
const head = async () => (await revisions.executeTakeFirstOrThrow()).revision;

test("no acknowledged push is lost when its writer is killed", async () => {
  const feeds = await insertFeeds(store, account_id, [{}, {}]);
  const mirror = new LiveMirror();
  const following = await followLivePostgres(store.url, mirror, { log: silent, id: newId() });
  const script = new URL("../../../test/faults/live-writer.ts", import.meta.url).pathname;
  const acknowledged = (writer: Daemon) => Number(writer.printed.trim().split("\n").at(-1));
  const shown = (feed_id: string) => Number(mirror.values.get(feed_id)?.data?.["n"] ?? 0);
  const firsts = [1, 1];
  for (let round = 0; round < 2; round++) {
    const writers = feeds.map(
      (feed_id, index) => new Daemon(process.execPath, [script, store.url, feed_id, String(firsts[index])]),
    );
    await Promise.all(writers.map((writer) => writer.until(() => writer.printed.split("\n").length > 40)));
    await Promise.all(writers.map((writer) => writer.end("SIGKILL")));
    await mirror.reaches(await head());
    expect(mirror.values).toEqual(await storedFeeds(store));
    for (const [index, writer] of writers.entries()) {
      const last = acknowledged(writer);
      // one more push may be stored, without an acknowledgement
      expect([last, last + 1]).toContain(shown(feeds[index]!));
      firsts[index] = last + 2;
    }
  }
  expect(mirror.baselines).toHaveLength(1);
  await following.close();
});
