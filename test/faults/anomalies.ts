/** Each call that a write makes to the store fails in turn: the write is done as a whole, or not at all. */
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import type { Client } from "../service/client.ts";
import type { Cut, StoreLink } from "../store/store-link.ts";
import type { WritePath } from "./write-paths.ts";

/** A connection between a service and its store, and a direct one to the store. */
interface Connections {
  readonly client: Client;
  readonly link: StoreLink;
  readonly store: pg.Client;
}

interface Outcome {
  /** The number of calls that the write makes. */
  readonly calls: number;
  /** How often the write was done, how often not, and how often the client got a refusal. */
  readonly done: number;
  readonly undone: number;
  readonly refused: number;
  readonly wrong: readonly string[];
}

/** Tables that change at any time, such as those with numbers from the sequencer. */
const restless = new Set([
  ...[
    "follower",
    "idempotency",
    "lease",
    "sequencer",
    "setting",
    "usage",
    "usage_mix",
    "usage_missing",
    "usage_reporter",
    "zone_serial",
  ],
  // mails are removed when they are sent, and guesses include failed tries
  ...["mail", "attempt"],
  // rows that no zone refers to are removed later
  ...["change_part", "zone_load"],
  // processes show that they live
  "control_process",
  // digests of zones, what zones need, and watched queries come and go in the background
  ...["digest_batch", "attention", "zone_lint"],
  ...["tail_watch", "tail_query"],
]);
/** What is compared of a table whose rows do not all matter to a user. */
const shown: Readonly<Record<string, string>> = {
  record: "(select * from record where zone_id in (select id from zone union all select id from deleted_zone))",
  // the row of an account comes with its first value, and stays at 0
  account_cells: "(select sum(cells) as cells from account_cells)",
};
const restlessColumns = ["last_access", "mark", "previous", "previous_mark", "revision", "serial", "serials"];
const mostCalls = 100;
/** Milliseconds within which transactions that were cut off end. */
const patience = 30_000;

/** Keeps the rows of both streams, which are removed after minutes: the comparison would see that. */
export async function keepStreams(store: pg.Client): Promise<void> {
  await store.query("create function keep_row() returns trigger language plpgsql as $$ begin return null; end $$");
  for (const table of ["change", "live_change"]) {
    await store.query(`create trigger keep before delete on ${table} for each row execute function keep_row()`);
  }
}

/** Repeats a write; each time, another of its calls to the store is cut. */
export async function everyCallCut(path: WritePath, cut: Cut, { client, link, store }: Connections): Promise<Outcome> {
  const run = async (nth: number) => {
    const { method, path: url, body } = await path.prepare(client);
    await settled(store);
    const before = await stateOf(store);
    link.arm(nth, cut);
    const { status, text } = await client.call(method, url, body);
    const { calls } = link;
    link.restore();
    await settled(store);
    return { status, text, calls, changed: differences(before, await stateOf(store)) };
  };
  const whole = await run(0);
  const wrong: string[] = [];
  if (whole.status !== 200) throw new Error(`${path.name}: ${whole.status} ${whole.text}`);
  if (!whole.changed.split("\n").includes(path.changes)) {
    throw new Error(`${path.name}: changes\n${whole.changed}\nand not ${path.changes}`);
  }
  let [done, undone, refused] = [0, 0, 0];
  for (let nth = 1; nth <= mostCalls; nth++) {
    const { status, text, calls, changed } = await run(nth);
    const isDone = changed === whole.changed;
    if (isDone) done++;
    else undone++;
    if (status !== 200) refused++;
    const isSound = status === 200 ? isDone : status === 503 && (isDone || changed === "");
    if (!isSound) wrong.push(`call ${nth} ${cut}: ${status} ${text}\n${changed}\ninstead of\n${whole.changed}`);
    if (calls < nth) break;
  }
  return { calls: whole.calls, done, undone, refused, wrong };
}

/** Waits until no transaction of a client that was cut off is under way. */
async function settled(store: pg.Client): Promise<void> {
  const others = "datname = current_database() and pid <> pg_backend_pid()";
  const deadline = performance.now() + patience;
  for (;;) {
    const { rows } = await store.query(
      `select query from pg_stat_activity where ${others} and (state = 'active' or state like 'idle in transaction%')`,
    );
    if (rows.length === 0) return;
    if (performance.now() > deadline) throw new Error(`still under way: ${rows.map(({ query }) => query).join("; ")}`);
    await delay(2);
  }
}

/** For each table, the number of rows and a hash of their contents. */
async function stateOf(store: pg.Client): Promise<ReadonlyMap<string, readonly [count: number, hash: string]>> {
  const { rows: tables } = await store.query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const names = tables.map(({ name }) => String(name)).filter((name) => !restless.has(name));
  const without = `array[${restlessColumns.map((column) => `'${column}'`)}]`;
  const parts = names.map(
    (name) => `select '${name}' as name, count(*) as count,
      coalesce(md5(string_agg((to_jsonb(t) - ${without})::text, ' ' order by to_jsonb(t)::text)), '') as hash from ${shown[name] ?? `"${name}"`} t`,
  );
  const { rows } = await store.query(parts.join(" union all "));
  return new Map(rows.map(({ name, count, hash }) => [name, [Number(count), hash]]));
}

type State = Awaited<ReturnType<typeof stateOf>>;

/** The tables that have changed, each with the number of rows by which it has grown. */
const differences = (before: State, after: State) =>
  [...after]
    .filter(([name, [, hash]]) => before.get(name)![1] !== hash)
    .map(([name, [count]]) => `${name} ${count - before.get(name)![0]}`)
    .sort()
    .join("\n");
