/** A primary of secondary zones: it notifies, and waits until it is asked. Every question is refused, over UDP and TCP. */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { Rcode } from "../../src/dns/wire/constants.ts";
import { nameFromApi } from "../../src/dns/wire/name.ts";
import { noticeOf } from "./notice.ts";
import { framed } from "./stream.ts";

/** Milliseconds within which a notice leads to a question. */
const patience = 5000;

function refused(octets: Uint8Array): Uint8Array {
  const reply = Buffer.from(octets);
  reply[2]! |= 0x84;
  reply[3] = Rcode.REFUSED;
  return reply;
}

export class Primary {
  readonly #socket: Socket;
  readonly #waiting = new Map<string, () => void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("message", (octets, { port, address }) => {
      if ((octets[2]! & 0x80) !== 0) return;
      socket.send(refused(octets), port, address);
      for (const [name, heard] of this.#waiting) if (octets.includes(Buffer.from(nameFromApi(name)))) heard();
    });
  }

  static async listen(port: number): Promise<Primary> {
    const socket = createSocket("udp4").unref();
    socket.bind(port, "127.0.0.1");
    await once(socket, "listening");
    const server = createServer((client) => {
      client.on("error", () => {}).once("data", (octets) => client.end(framed(refused(octets.subarray(2)))));
    });
    await once(server.listen(port, "127.0.0.1").unref(), "listening");
    return new Primary(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  /** Sends a NOTIFY for the zone; resolves when the zone is asked for. */
  async notify(zone: string, to: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Error("the notice led to no question")), patience);
    this.#waiting.set(zone, resolve);
    this.#socket.send(noticeOf(zone), to, "127.0.0.1");
    await promise.finally(() => {
      clearTimeout(late);
      this.#waiting.delete(zone);
    });
  }
}
