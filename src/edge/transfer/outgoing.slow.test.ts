/** Transfers of a large zone: to clients that stop reading, and while the store or the zone disappears. */
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { framed, openPlain } from "../../../test/network/streams.ts";
import { startApi } from "../../../test/service/api.ts";
import { edgeBeside } from "../../../test/service/edge.ts";
import { parseReply } from "../../dns/reply.ts";
import { axfrQuery } from "../../dns/transfer/query.ts";
import { types } from "../../dns/types.ts";
import { Rcode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";

const patience = { timeout: 60_000, interval: 50 };
/** Number of names: their records have more octets than sockets hold. */
const names = 60_000;
const errors: string[] = [];
const log = pino({ level: "error" }, { write: (line) => errors.push(line) });
const api = await startApi();
const { port } = await edgeBeside(api, { log });
const store = new pg.Client({ connectionString: api.storeUrl });
await store.connect();
afterAll(() => store.end());

const zone = "large.example";

/** Makes the zone, which 127.0.0.1 may transfer. */
async function putZone(): Promise<void> {
  const lines = ["@ 60 SOA ns.example. admin.example. 1 2 3 4 5"];
  for (let i = 0; i < names; i++) lines.push(`h${i} 60 TXT "${"x".repeat(200)}"`);
  await api.must("PUT", `import/zonefile/${zone}`, `${lines.join("\n")}\n`);
  await api.must("POST", `zones/${zone}`, { primary: { enabled: true, secondaries: [{ ip: "127.0.0.1" }] } });
}

/** A client that has asked for a zone and has read only the first octets of the answer. */
async function begin(zone: string) {
  const socket = await openPlain(port);
  const count = new Count();
  let isClosed = false;
  socket.on("close", () => (isClosed = true));
  socket.write(framed(axfrQuery(1, nameFromApi(zone))));
  count.take(await new Promise<Buffer>((resolve) => socket.once("data", resolve)));
  socket.pause();
  return {
    /** Reads a few octets at a time, so many in a second, until the function that it returns is called. */
    trickle(octets: number): () => void {
      const timer = setInterval(() => {
        const part: Buffer | null = socket.read(octets / 20);
        if (part) count.take(part);
      }, 50);
      return () => clearInterval(timer);
    },
    /** Reads the rest. Returns the number of records, and whether they are the whole zone. */
    async rest() {
      socket.on("data", (octets: Buffer) => count.take(octets));
      socket.on("end", () => socket.destroy());
      socket.resume();
      await expect.poll(() => isClosed || count.result().isWhole, patience).toBe(true);
      socket.destroy();
      return count.result();
    },
  };
}

async function rcodeOf(zone: string): Promise<number> {
  const socket = await openPlain(port);
  socket.write(framed(axfrQuery(1, nameFromApi(zone))));
  const octets = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
  socket.destroy();
  return octets[5]! & 15;
}

/** Counts the records of an answer while it comes. */
class Count {
  #records = 0;
  #last: Buffer = Buffer.alloc(0);
  /** The beginning of a message. */
  #held: Buffer = Buffer.alloc(0);

  take(octets: Buffer): void {
    const all = Buffer.concat([this.#held, octets]);
    let at = 0;
    while (at + 2 <= all.length) {
      const end = at + 2 + all.readUInt16BE(at);
      if (end > all.length) break;
      this.#last = all.subarray(at + 2, end);
      this.#records += this.#last.readUInt16BE(6);
      at = end;
    }
    this.#held = all.subarray(at);
  }

  result() {
    const records = this.#records;
    return { records, isWhole: records > names && parseReply(this.#last).answer.at(-1)?.type === types.SOA };
  }
}

/** Process numbers of the store's connections for transfers. */
async function readings(): Promise<number[]> {
  const text = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'fairlead follower transfer'`;
  return (await store.query<{ pid: number }>(text)).rows.map(({ pid }) => pid);
}

/** The zone also has two NS records, and the SOA record is sent twice. */
const whole = { records: names + 4, isWhole: true };
const complete = async (zone: string) => (await begin(zone)).rest();

await putZone();

test("every record is sent", async () => {
  // an edge may receive the zone's secondaries later than the zone
  await expect.poll(() => rcodeOf(zone), patience).toBe(Rcode.NOERROR);
  expect(await complete(zone)).toEqual(whole);
});

test("the connections of clients that stop reading, or read too slowly, are closed, and their connections to the store are free", async () => {
  const [stopped, slow] = [await begin(zone), await begin(zone)];
  const end = slow.trickle(20_000);
  await expect.poll(async () => (await readings()).length, patience).toBe(2);
  await expect.poll(readings, patience).toEqual([]);
  end();
  for (const { rest } of [stopped, slow]) expect(await rest()).toMatchObject({ isWhole: false });
  expect(await complete(zone)).toEqual(whole);
});

test("when the store is lost during a transfer, the connection is closed with a log message, and the next transfer works", async () => {
  const { rest } = await begin(zone);
  await expect.poll(async () => (await readings()).length, patience).toBe(1);
  for (const pid of await readings()) await store.query("select pg_terminate_backend($1)", [pid]);
  expect(await rest()).toMatchObject({ isWhole: false });
  await expect.poll(() => errors.join("\n"), patience).toContain(`a transfer of ${zone} was cut off: `);
  expect(await complete(zone)).toEqual(whole);
});

test.each<[string, (fields: string) => Promise<unknown>]>([
  ["changed", (path) => api.must("PUT", `${path}/new.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] })],
  ["disabled", (path) => api.must("POST", path, { disabled: true })],
  ["deleted", (path) => api.must("DELETE", `${path}?confirm_deletions=true`)],
])("a transfer of a zone that is %s meanwhile is completed with the version at its start", async (_, act) => {
  const { rest } = await begin(zone);
  await act(`zones/${zone}`);
  expect((await rest()).isWhole).toBe(true);
  await api.must("POST", `zones/${zone}`, { disabled: false }).catch(() => {});
});
