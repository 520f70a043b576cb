/** Control is killed under writes, and its next process is held up: the edge gives changes their numbers meanwhile. */
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clusterBelow, urlOf } from "../../src/storage/embedded/cluster.ts";
import { type Service, service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

const zone = "takeover.example";
const writers = 4;
/** Milliseconds of writing before a kill. */
const writing = 300;
/** Milliseconds after which a write counts as one without a reply. */
const repliesWithin = 3000;
/** Generous, for a busy machine; the bench `takeover` measures the time. */
const patiently = { timeout: 60_000, interval: 20 };

let running: Service;
let store: pg.Client;
/** The changes of all acknowledged writes. */
const acknowledged: string[] = [];
/** The last calls of a round, which had no reply. */
const unanswered: Promise<unknown>[] = [];

beforeAll(async () => {
  running = await service({ flags: ["--rate-limit", "100000000/1"] });
  store = new pg.Client({ connectionString: urlOf(clusterBelow(running.data)) });
  await store.connect();
  await running.zone(zone);
});

afterAll(async () => {
  await store?.end();
  await running?.stop();
});

const nameOf = (writer: number) => `w${writer}.${zone}`;
const addressOf = (version: number) => `10.0.${Math.floor(version / 256)}.${version % 256}`;

/** Writes versions of a record until a write has no reply; returns the last acknowledged version. */
async function write(writer: number, first: number): Promise<number> {
  const put = (version: number) =>
    running.api(version === 0 ? "PUT" : "POST", `zones/${zone}/${nameOf(writer)}/A`, {
      answers: [{ answer: [addressOf(version)] }],
    });
  for (let version = first; ; version++) {
    // a call that connects after the kill waits in the supervisor's socket for the next process
    const call = put(version).catch(() => undefined);
    const reply = await Promise.race([call, delay(repliesWithin, undefined)]);
    if (!reply) {
      unanswered.push(call);
      return version - 1;
    }
    expect(reply.status).toBe(200);
    acknowledged.push(reply.headers.get("x-fairlead-change")!);
  }
}

const kill = (pids: readonly number[]) => {
  for (const pid of pids) process.kill(pid, "SIGKILL");
};

/** The process that the supervisor starts after `before`, suspended long before it can open the store. */
async function heldUp(before: number): Promise<number> {
  for (;;) {
    const next = rolesOf(running).control.find((pid) => pid !== before);
    if (next !== undefined) {
      process.kill(next, "SIGSTOP");
      return next;
    }
    await delay(2);
  }
}

const isSuspended = (pid: number) => /^\d+ \(.*\) T/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

/** The holder of the lease: the instance, and the turn of its process. */
async function holder(): Promise<readonly string[]> {
  const { rows } = await store.query("select holder from lease where name = 'sequencer'");
  return rows[0].holder.split(" ");
}

/** The revisions of the stream so far, each with the one before it, and the number of changes without a revision. */
async function stream() {
  const { rows } = await store.query(
    "select id, revision::int, previous::int from change order by revision nulls last",
  );
  const numbered = rows.filter(({ revision }) => revision !== null);
  return { ids: new Set(numbered.map(({ id }) => id)), numbered, waiting: rows.length - numbered.length };
}

test.each([
  ["control", 3],
  ["control and the edge", 2],
] as const)(
  "SIGKILL of %s: all that was acknowledged is answered while there is no control",
  async (killed, rounds) => {
    for (let round = 0; round < rounds; round++) {
      const first = acknowledged.length === 0 ? 0 : 1 + acknowledged.length;
      const written = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer, first)));
      await delay(writing);
      const { control, edge } = rolesOf(running);
      const [instance, turn] = await holder();
      kill(killed === "control" ? control : [...control, ...edge]);
      const next = await heldUp(control[0]!);
      const last = await written;

      for (const [writer, version] of last.entries()) {
        // the write without a reply may have been stored
        const answers = [version, version + 1].map((each) => expect.stringContaining(` A ${addressOf(each)}`));
        const answered = async () => (await running.ask(`${nameOf(writer)} A`)).join();
        await expect.poll(answered, patiently).toEqual(expect.toBeOneOf(answers));
      }
      await expect.poll(async () => (await stream()).waiting, patiently).toBe(0);
      // a new edge takes the lease once it is ready
      await expect.poll(async () => Number((await holder())[1]), patiently).toBeGreaterThan(Number(turn));
      expect((await holder())[0]).toBe(instance);
      expect(isSuspended(next)).toBe(true);

      process.kill(next, "SIGCONT");
      await running.ready();
      // otherwise the next control may write an old version after those of the next round
      await Promise.all(unanswered.splice(0));
      const turnOfControl = (await holder())[1];
      await running.put(zone, `after.${zone} A`, [addressOf(round)]);
      await expect
        .poll(() => running.ask(`after.${zone} A`), patiently)
        .toEqual([expect.stringContaining(` A ${addressOf(round)}`)]);
      expect((await holder())[1]).toBe(turnOfControl);
      const { ids, numbered } = await stream();
      expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
      const wrong = numbered.filter(
        ({ revision, previous }, i) => i > 0 && (revision !== previous + 1 || previous !== numbered[i - 1]!.revision),
      );
      expect(wrong).toEqual([]);
    }
  },
  120_000,
);
