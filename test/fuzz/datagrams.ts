/**
 * Packets over UDP: with a window of outstanding packets from an address without limits, and in bursts from addresses
 * with rate limits.
 */
import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { attempts, type LaneOptions, patience, receive } from "./lane.ts";
import { isAnswered, type Transport } from "./oracle.ts";

const window = 150;
const checkEvery = 500;
const burst = 60;
const burstPause = 8;

const idle = 0;
const waiting = 1;
/** The packet must not be answered. */
const mute = 2;
/** The packet was considered lost and was sent again elsewhere: a reply may still arrive. */
const late = 3;

interface DatagramOptions extends LaneOptions {
  /** The client's address, which decides whether rate limits apply. */
  readonly from: string;
  readonly transport: Extract<Transport, "udp" | "limited">;
}

export async function sendDatagrams(options: DatagramOptions): Promise<void> {
  const lane = new DatagramLane(options, await openFrom(options.from, options.port));
  await lane.run();
}

class DatagramLane {
  readonly #options: DatagramOptions;
  readonly #socket: Socket;
  /** By ID. An ID is used again after 65,536 packets, which takes many times `patience`. */
  readonly #states = new Uint8Array(65_536);
  readonly #packets = new Array<Buffer | undefined>(65_536);
  readonly #sentAt = new Float64Array(65_536);
  readonly #suspects: Buffer[] = [];
  #left: number;
  #id = 0;
  #outstanding = 0;
  /** Called when there may be room in the window. */
  #resume: () => void = () => {};

  constructor(options: DatagramOptions, socket: Socket) {
    this.#options = options;
    this.#socket = socket;
    this.#left = options.packets;
    socket.on("message", (reply) => this.#receive(reply));
  }

  async run(): Promise<void> {
    const checking = setInterval(() => this.#giveUp(), checkEvery);
    try {
      if (this.#options.transport === "limited") await this.#sendBursts();
      else await this.#sendWindowed();
      // packets that need no answer might still get one a little later
      await delay(200);
    } finally {
      clearInterval(checking);
      this.#socket.close();
    }
    for (const packet of this.#suspects) {
      if (!this.#options.ledger.isOver) await this.#askAlone(packet);
    }
  }

  #sendWindowed(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = () => {
      while (!this.#isDone() && this.#outstanding < window) this.#sendNext();
      if (this.#isDone() && this.#outstanding <= 0) resolve();
    };
    this.#resume();
    return promise;
  }

  async #sendBursts(): Promise<void> {
    while (!this.#isDone()) {
      for (let count = 0; count < burst && !this.#isDone(); count++) this.#sendNext();
      await delay(burstPause);
    }
  }

  #isDone(): boolean {
    return this.#left === 0 || this.#options.ledger.isOver;
  }

  #sendNext(): void {
    const { ledger, maker, transport } = this.#options;
    const packet = maker.next();
    const { octets } = packet;
    this.#left--;
    const id = this.#freeId();
    if (octets.length >= 2) octets.writeUInt16BE(id, 0);
    const expects = isAnswered(octets);
    this.#states[id] = expects ? waiting : mute;
    this.#packets[id] = octets;
    this.#sentAt[id] = performance.now();
    if (expects && transport === "udp") this.#outstanding++;
    ledger.send(transport, packet);
    // a datagram that the system does not accept is treated as lost
    this.#socket.send(octets, () => {});
  }

  #freeId(): number {
    do this.#id = (this.#id + 1) & 0xffff;
    while (this.#states[this.#id] === waiting && this.#options.transport === "udp");
    return this.#id;
  }

  #receive(reply: Buffer): void {
    const { ledger, transport } = this.#options;
    const id = reply.length >= 2 ? reply.readUInt16BE(0) : -1;
    const query = this.#packets[id];
    const state = this.#states[id] ?? idle;
    if (!query || state === idle || state === mute) {
      ledger.find(transport, `a reply where none belongs: ${reply.toString("hex")}`, ...(query ? [query] : []));
      return;
    }
    this.#states[id] = idle;
    if (state === waiting && transport === "udp") this.#outstanding--;
    receive(this.#options, transport, query, reply);
    this.#resume();
  }

  #giveUp(): void {
    if (this.#options.transport === "limited") return;
    if (this.#options.ledger.isOver) this.#giveUpAll();
    const since = performance.now() - patience;
    for (let id = 0; id < this.#states.length; id++) {
      if (this.#states[id] !== waiting || this.#sentAt[id]! > since) continue;
      this.#states[id] = late;
      this.#outstanding--;
      this.#suspects.push(this.#packets[id]!);
      this.#options.ledger.suspects++;
    }
    this.#resume();
  }

  #giveUpAll(): void {
    for (let id = 0; id < this.#states.length; id++) {
      if (this.#states[id] === waiting) this.#options.ledger.unanswered.push(this.#packets[id]!);
    }
    this.#outstanding = 0;
    this.#resume();
  }

  /** Sends a packet again, alone: if it repeatedly gets no reply, it was not lost: the server does not answer it. */
  async #askAlone(packet: Buffer): Promise<void> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const socket = await openFrom(this.#options.from, this.#options.port);
      const reply = once(socket, "message", { signal: AbortSignal.timeout(patience) });
      socket.send(packet);
      const [octets]: Buffer[] = await reply.catch(() => []);
      socket.close();
      if (octets) return receive(this.#options, this.#options.transport, packet, octets);
    }
    this.#options.ledger.find(this.#options.transport, "no reply to repeated queries", packet);
  }
}

async function openFrom(address: string, port: number): Promise<Socket> {
  const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20 });
  const bound = once(socket, "listening");
  socket.bind(0, address);
  await bound;
  const connected = once(socket, "connect");
  socket.connect(port, "127.0.0.1");
  await connected;
  socket.on("error", () => {});
  return socket;
}
