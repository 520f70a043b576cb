/**
 * Puts the store back to an earlier moment while clients write and edges are stopped, cut off, slow and running, and
 * finds the names that an edge answers differently from the store afterwards.
 */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Random } from "../../src/lib/random.ts";
import { exchangeUdp } from "../dns/exchange.ts";
import { parseReply, question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { type Edge, type Fate, Installation } from "./installation.ts";
import { Relay } from "./relay.ts";

export const ways = ["a dump is restored", "the store is recovered to a moment", "a standby is promoted"] as const;
export type Way = (typeof ways)[number];

export interface Round {
  readonly way: Way;
  /** Writes that were acknowledged and that the store does not have any more. */
  readonly lost: number;
  /** For each edge, the names that it answers differently from the store. */
  readonly wrong: ReadonlyMap<Fate, readonly string[]>;
  /** Milliseconds from the first write after the store was put back until every edge answered everything. */
  readonly after: number;
  /** Milliseconds from the end of the way back to the first write. */
  readonly writable: number;
  /** How far the serial of the zone was moved ahead of the highest one that was answered before; negative is wrong. */
  readonly ahead: number;
}

const zone = "operate.example";
const names = Array.from({ length: 2000 }, (_, n) => `n${n}.${zone}`);
const writers = 8;
/** Milliseconds: before the moment to which the store goes back, from there to the going back, and afterwards. */
const [before, between, afterwards] = [1500, 3000, 5000];
/** Milliseconds in which the store is a standby. */
const asStandby = 2000;
/** Milliseconds after the first write within which all edges have to answer as the store. */
const patience = 30_000;
const type = { SOA: 6, TXT: 16 };

export class Rounds implements AsyncDisposable {
  readonly #installation: Installation;
  readonly #random: Random;
  readonly #pause: number;
  #round = 0;

  private constructor(installation: Installation, random: Random, pause: number) {
    this.#installation = installation;
    this.#random = random;
    this.#pause = pause;
  }

  /** Each writer waits for `pause` milliseconds between its writes. */
  static async start(random: Random, pause = 0): Promise<Rounds> {
    const installation = await Installation.start();
    const secondaries = [{ ip: "192.0.2.1", port: 53, notify: false }];
    await installation.client.must("PUT", `zones/${zone}`, { zone, primary: { enabled: true, secondaries } });
    return new Rounds(installation, random, pause);
  }

  async round(way: Way): Promise<Round> {
    const { edges } = this.#installation;
    const writing = new AbortController();
    const versions = new Map<string, string>();
    const written = Array.from({ length: writers }, () => this.#write(versions, writing.signal));
    await delay(before);
    const { putBack } = await this.#prepare(way);
    await Promise.all(edges.map((edge) => impair(edge)));
    await delay(between);
    const highest = Math.max(...(await Promise.all(edges.filter(isUp).map(serialAt))));
    await putBack();
    const isBack = performance.now();
    await this.#untilWritable();
    const began = performance.now();
    await delay(afterwards);
    writing.abort();
    await Promise.all(written);
    await Promise.all(edges.map((edge) => repair(edge)));
    const stored = await this.#stored();
    const lost = [...versions].filter(([name, version]) => stored.get(name) !== version).length;
    const wrong = await this.#wrong(stored, began);
    const after = performance.now() - began;
    const serials = await Promise.all(edges.map(serialAt));
    return { way, lost, wrong, writable: began - isBack, after, ahead: Math.min(...serials) - highest };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#installation[Symbol.asyncDispose]();
  }

  /** Writes random records until stopped; `versions` keeps what was acknowledged last. */
  async #write(versions: Map<string, string>, stopped: AbortSignal): Promise<void> {
    const { client } = this.#installation;
    while (!stopped.aborted) {
      const name = names[Math.floor(this.#random() * names.length)]!;
      const version = `${this.#round}-${Math.floor(this.#random() * 2 ** 32)}`;
      const body = { zone, domain: name, type: "TXT", answers: [{ answer: [version] }] };
      const isThere = versions.has(name) || this.#round > 0;
      const reply = await client
        .call(isThere ? "POST" : "PUT", `zones/${zone}/${name}/TXT`, body)
        .catch(() => undefined);
      if (reply?.status === 200) versions.set(name, version);
      await delay(reply?.status === 200 ? this.#pause : 20);
    }
  }

  /** Makes what the way back needs, at the moment to which it leads; returns the way back. */
  async #prepare(way: Way): Promise<{ putBack(): Promise<void> }> {
    const installation = this.#installation;
    const { store } = installation;
    const name = `round${this.#round++}`;
    if (way === "a dump is restored") {
      await store.dump(name);
      return { putBack: () => store.restoreDump(name) };
    }
    if (way === "the store is recovered to a moment") {
      await store.backUp(name);
      await store.sql(`select pg_create_restore_point('${name}')`);
      await store.sql("select pg_switch_wal()");
      return { putBack: () => store.recover(name, name) };
    }
    const line = await Relay.open(store.port);
    const standby = await store.standby(name, line.port);
    line.cut();
    return {
      async putBack() {
        await store.kill();
        // everybody reaches a server that takes no writes yet
        installation.follow(standby);
        await delay(asStandby);
        await standby.promote();
        await line[Symbol.asyncDispose]();
      },
    };
  }

  async #untilWritable(): Promise<void> {
    const body = { zone, domain: `probe.${zone}`, type: "TXT" };
    for (;;) {
      const answers = [{ answer: [String(this.#random())] }];
      const path = `zones/${zone}/probe.${zone}/TXT`;
      const write = (method: string) => this.#installation.client.call(method, path, { ...body, answers });
      const replies = [await write("POST").catch(() => undefined), await write("PUT").catch(() => undefined)];
      if (replies.some((reply) => reply?.status === 200)) return;
      await delay(50);
    }
  }

  /** The text of each record in the store. */
  async #stored(): Promise<Map<string, string>> {
    const client = new pg.Client({ host: "127.0.0.1", port: this.#installation.store.port, user: "fairlead" });
    await client.connect();
    const { rows } = await client.query(
      "select domain, answers->0->'answer'->>0 as text from record where type = 'TXT'",
    );
    await client.end();
    return new Map(rows.map(({ domain, text }) => [domain, text]));
  }

  /** Asks until every edge answers as the store, or the time is over. */
  async #wrong(stored: ReadonlyMap<string, string>, since: number): Promise<Round["wrong"]> {
    for (;;) {
      const all = await Promise.all(
        this.#installation.edges.map(async ({ fate, port }): Promise<[Fate, string[]]> => {
          const replies = await exchangeUdp(
            port,
            names.map((name) => question(labels(name), type.TXT)),
          );
          const texts = replies.map((reply) => textOf(parseReply(reply).answer));
          return [fate, names.filter((name, i) => texts[i] !== stored.get(name))];
        }),
      );
      const isRight = all.every(([, wrong]) => wrong.length === 0);
      if (isRight || performance.now() - since > patience) return new Map(all);
      await delay(100);
    }
  }
}

async function impair({ fate, relay, stop }: Edge): Promise<void> {
  if (fate === "stopped") await stop();
  if (fate === "cut off") relay.cut();
  if (fate === "slow") relay.delay = 2000;
}

async function repair({ fate, relay, start }: Edge): Promise<void> {
  relay.restore();
  if (fate === "stopped") await start();
}

const isUp = ({ fate }: Edge) => fate !== "stopped";

/** TXT RDATA in hexadecimal: one length octet, then the text. */
const textOf = (answer: readonly string[]): string | undefined =>
  answer[0] && Buffer.from(answer[0].split(" ").at(-1)!, "hex").toString("latin1", 1);

/** SOA RDATA: two names, then the serial. */
async function serialAt({ port }: Edge): Promise<number> {
  const [reply] = await exchangeUdp(port, [question(labels(zone), type.SOA)]);
  const [soa] = parseReply(reply!).answer;
  return Number.parseInt(soa!.split(" ").at(-1)!.slice(-40, -32), 16);
}
