/**
 * Rounds in which something happens to an installation while clients write and edges are stopped, cut off, slow and
 * running; afterwards every edge answers as the store, and nothing is lost that may not be lost.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../src/lib/random.ts";
import { answeredBy, differences, feeds, makeContents, serialAt, storedIn, zone } from "./contents.ts";
import type { Edge, Fate } from "./edge.ts";
import type { Event } from "./events/event.ts";
import { Installation } from "./installation.ts";
import { Ledger } from "./ledger.ts";
import { StoreServer } from "./server.ts";
import { Watch } from "./watch.ts";
import { Writers } from "./writers.ts";

export interface Round {
  readonly event: string;
  readonly fates: ReadonlyMap<Edge, Fate>;
  readonly acknowledged: number;
  /** Writes that were acknowledged and that the store does not have any more. */
  readonly lost: number;
  /** Milliseconds from the end of the event to the first write. */
  readonly writable: number;
  /** Milliseconds from the first write, or the last repair of an edge, until every edge answered everything as the store. */
  readonly right: number;
  /** Answers that were compared with the store, besides. */
  readonly compared: number;
  /** The longest time for which a name was answered otherwise than stored, while the store took writes. */
  readonly longest: number;
  /** How far the serial of the zone was moved ahead of the highest one that was answered before. */
  readonly ahead: number;
  readonly faults: readonly string[];
}

/** Milliseconds: before the moment to which the store goes back, from there to the event, and afterwards. */
const [before, between, afterwards] = [1500, 3000, 5000];
/** Milliseconds after the first write within which all edges have to answer as the store. */
const patience = 30_000;
/** Milliseconds within which writes go on. */
const mostPause = 5000;
/** Faults of one kind that are named. */
const mostNamed = 5;

export class Rounds implements AsyncDisposable {
  readonly #installation: Installation;
  readonly #source: string;
  readonly #random: Random;
  readonly #ledger = new Ledger();
  readonly #watch: Watch;
  #round = 0;

  private constructor(installation: Installation, source: string, random: Random) {
    this.#installation = installation;
    this.#source = source;
    this.#random = random;
    this.#watch = new Watch(installation);
  }

  static async start(random: Random): Promise<Rounds> {
    const installation = await Installation.start();
    const source = await makeContents(installation.client);
    for (const name of feeds) await installation.client.must("POST", `feed/${source}`, { [name]: { up: true } });
    return new Rounds(installation, source, random);
  }

  async round(event: Event): Promise<Round> {
    const { client, edges } = this.#installation;
    const fates = this.#installation.fatesOf(this.#round);
    const name = `round${this.#round++}`;
    const faults: string[] = [];
    const writers = new Writers(client, this.#source, this.#ledger, this.#random);
    await delay(before);
    const from = performance.now();
    const act = await event.prepare(this.#installation, name);
    await Promise.all(edges.map((edge) => edge.impair(fates.get(edge)!)));
    await delay(between);
    const highest = Math.max(...(await this.#serials()));
    this.#watch.pause();
    await act().catch((error: unknown) => void faults.push(String(error)));
    const to = performance.now();
    await this.#untilWritable();
    const writable = performance.now();
    this.#watch.resume();
    await delay(afterwards);
    await writers.end();
    await Promise.all(edges.map((edge) => edge.repair()));
    const repaired = performance.now();
    const stored = await storedIn(this.#installation.store);
    const { acknowledged } = this.#ledger;
    const settled = this.#ledger.settle(stored, event.loses === "nothing" ? undefined : { from, to });
    faults.push(...settled.faults.slice(0, mostNamed), ...(await this.#differences(stored, repaired)));
    const right = performance.now() - repaired;
    const { longest, where, compared } = this.#watch.read();
    if (longest > patience) faults.push(`${where} was wrong for ${Math.round(longest)} ms`);
    if (writable - to > mostPause) faults.push(`no write for ${Math.round(writable - to)} ms`);
    const serial = Math.min(...(await this.#serials()));
    // writes that are lost must not leave a serial that others have seen with other contents
    if (event.loses === "nothing" ? serial < highest : serial <= highest)
      faults.push(`serial ${serial} after ${highest}`);
    if (this.#installation.store instanceof StoreServer) this.#installation.store.tidy();
    const shown = { event: event.name, fates, acknowledged, lost: settled.lost, right, compared, longest };
    return { ...shown, writable: writable - to, ahead: serial - highest, faults };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watch.end();
    await this.#installation[Symbol.asyncDispose]();
  }

  async #serials(): Promise<number[]> {
    const running = this.#installation.edges.filter((edge) => edge.isRunning);
    const serials = await Promise.all(running.map(({ port }) => serialAt(port)));
    return serials.filter((serial) => serial !== undefined);
  }

  async #untilWritable(): Promise<void> {
    const put = [{ domain: `probe.${zone}`, type: "TXT", answers: [{ answer: [String(this.#random())] }] }];
    const { client } = this.#installation;
    for (;;) {
      const reply = await client.call("POST", `zones/${zone}/records`, { put }).catch(() => undefined);
      if (reply?.status === 200) return;
      await delay(50);
    }
  }

  /** Asks until every edge answers as the store, and has its keys and certificate, or the time is over. */
  async #differences(stored: ReadonlyMap<string, string>, since: number): Promise<string[]> {
    for (;;) {
      const found = await Promise.all(this.#installation.edges.map((edge) => differencesOf(edge, stored)));
      if (found.flat().length === 0 || performance.now() - since > patience) return found.flat();
      await delay(100);
    }
  }
}

async function differencesOf(edge: Edge, stored: ReadonlyMap<string, string>): Promise<string[]> {
  const [answered, key, certificate] = await Promise.all([
    answeredBy(edge.port),
    edge.knowsKey(),
    edge.hasCertificate(),
  ]);
  const wrong = answered === undefined ? ["does not answer"] : differences(answered, stored).slice(0, mostNamed);
  if (!key) wrong.push("does not know the key of the zone");
  if (!certificate) wrong.push("has another certificate");
  return wrong.map((one) => `${edge.name}: ${one}`);
}
