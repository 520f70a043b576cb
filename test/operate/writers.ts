/** Clients that write records and push to feeds all the time, each its own names, and repeat nothing. */
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../src/lib/random.ts";
import type { Client } from "../service/client.ts";
import { feeds, records, zone } from "./contents.ts";
import type { Ledger, Text } from "./ledger.ts";

const count = 8;
/** Milliseconds between the end of a write and the next one, and after one that failed. */
const [pause, afterFailure] = [40, 100];
/** Milliseconds after which a client gives up. */
const patience = 20_000;
/** Of the writes, the share that removes a record, and the share that is for few records. */
const [removals, hot] = [0.1, 0.5];
const hotNames = 3;

export class Writers {
  readonly #stop = new AbortController();
  readonly #ended: Promise<unknown>;

  constructor(client: Client, source: string, ledger: Ledger, random: Random) {
    const write = async (name: string, text: Text) => {
      const done = ledger.send(name, text);
      const path = text === undefined ? `zones/${zone}/${name}/TXT` : `zones/${zone}/records`;
      const body =
        text === undefined ? undefined : { put: [{ domain: name, type: "TXT", answers: [{ answer: [text] }] }] };
      return await this.#send(client.call(text === undefined ? "DELETE" : "POST", path, body), done);
    };
    const writers = Array.from({ length: count }, async (_, writer) => {
      const own = records.filter((_, n) => n % count === writer);
      while (!this.#stop.signal.aborted) {
        const name = own[Math.floor(random() * (random() < hot ? hotNames : own.length))]!;
        const isRemoved = random() < removals && ledger.last(name) !== undefined;
        await write(name, isRemoved ? undefined : `${Math.floor(random() * 2 ** 40)}`);
      }
    });
    const push = async () => {
      while (!this.#stop.signal.aborted) {
        const name = feeds[Math.floor(random() * feeds.length)]!;
        const up = random() < 0.5;
        const done = ledger.send(name, up ? "up" : "down");
        await this.#send(client.call("POST", `feed/${source}`, { [name]: { up } }), done);
      }
    };
    this.#ended = Promise.all([...writers, push()]);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #send(call: Promise<{ status: number }>, done: () => void): Promise<void> {
    const late = new AbortController();
    const reply = await Promise.race([
      call.catch(() => undefined),
      delay(patience, undefined, { signal: late.signal }).catch(() => undefined),
    ]);
    late.abort();
    if (reply?.status === 200) done();
    await delay(reply?.status === 200 ? pause : afterFailure);
  }
}
