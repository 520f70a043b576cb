/** A proxy between a service and its PostgreSQL: it counts the calls, and can cut them. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * The fate of the n-th call: `unsent` never reaches the store; `unanswered` is done by the store, but its reply is lost;
 * with `away`, it and all later calls never reach the store. The connection always ends.
 */
export const cuts = ["unsent", "unanswered", "away"] as const;
export type Cut = (typeof cuts)[number];

/** Messages of PostgreSQL's protocol: a statement or a Sync is a call, which ends with one ReadyForQuery. */
const isCall = (type: number) => type === 0x51 || type === 0x53;
const readyForQuery = 0x5a;
/** The reply to the call that begins a copy. */
const copyIn = 0x47;

export class StoreLink implements AsyncDisposable {
  /** The URL of the store through this proxy. */
  readonly url: string;
  /** Calls since the last `arm`. */
  calls = 0;
  readonly #target: string;
  readonly #directory = mkdtempSync(join(tmpdir(), "fairlead-link-"));
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  #nth = 0;
  #cut: Cut = "unsent";
  #isAway = false;
  #isSilent = false;

  private constructor(url: string) {
    const parsed = new URL(url);
    const file = `.s.PGSQL.${parsed.searchParams.get("port") ?? "5432"}`;
    this.#target = join(parsed.searchParams.get("host")!, file);
    this.url = url.replace(/host=[^&]*/, `host=${encodeURIComponent(this.#directory)}`);
    this.#server.listen(join(this.#directory, file));
  }

  /** `url` is that of a store on a Unix socket. */
  static async open(url: string): Promise<StoreLink> {
    const link = new StoreLink(url);
    await once(link.#server, "listening");
    return link;
  }

  /** Counts from 1 again; cuts the n-th call, or none if n is 0. */
  arm(nth: number, cut: Cut): void {
    this.calls = 0;
    this.#nth = nth;
    this.#cut = cut;
  }

  /** Cuts nothing any more; the proxy works again. */
  restore(): void {
    this.#nth = 0;
    this.#isAway = false;
    this.#isSilent = false;
  }

  /** Ends all connections and takes none. */
  sever(): void {
    this.#isAway = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps connections but passes nothing, like dropped packets. Octets sent in this time are lost. */
  silence(): void {
    this.#isSilent = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.sever();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #serve(client: Socket): void {
    if (this.#isAway) {
      client.destroy();
      return;
    }
    const store = createConnection(this.#target);
    const end = () => {
      client.destroy();
      store.destroy();
    };
    for (const socket of [client, store]) {
      this.#sockets.add(socket);
      socket.on("error", end).on("close", () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    this.#pass(client, store, end);
  }

  #pass(client: Socket, store: Socket, end: () => void): void {
    let [called, ready, last] = [0, 0, Number.POSITIVE_INFINITY];
    // the first message has no type: it is passed on as it is
    client.once("data", (startup: Buffer) => {
      store.write(startup);
      client.on(
        "data",
        messages((message) => {
          if (this.#isSilent || called >= last) return;
          if (isCall(message[0]!)) {
            const cut = this.#judge();
            if (cut === "unsent" || cut === "away") {
              end();
              last = called;
              return;
            }
            // the first reply is that to the connection's own start
            called++;
            if (cut === "unanswered") last = called;
          }
          store.write(message);
        }),
      );
    });
    store.on(
      "data",
      messages((message) => {
        if (this.#isSilent) return;
        const isReady = message[0] === readyForQuery;
        if (ready === last) {
          if (isReady || message[0] === copyIn) end();
          return;
        }
        client.write(message);
        if (isReady) ready++;
      }),
    );
  }

  #judge(): Cut | undefined {
    if (this.#isAway) return "away";
    this.calls++;
    if (this.calls !== this.#nth) return undefined;
    if (this.#cut === "away") this.sever();
    return this.#cut;
  }
}

/** Divides a stream into messages: a type, four octets with the length of themselves and the content, the content. */
function messages(take: (message: Buffer) => void): (octets: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  return (octets) => {
    held = held.length === 0 ? octets : Buffer.concat([held, octets]);
    while (held.length >= 5 && held.length >= 1 + held.readUInt32BE(1)) {
      const length = 1 + held.readUInt32BE(1);
      take(held.subarray(0, length));
      held = held.subarray(length);
    }
  };
}
