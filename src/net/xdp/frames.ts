/** The queries in a queue, and their answers: each query is answered in a chunk of its own. */
import { type Answer, askService, type QueryService, unfinished } from "../socket/service.ts";
import { LateQueries, mostLateOctets } from "../udp/late.ts";
import { isAnswerable, replyRoom, udpCounts } from "../udp/listener.ts";
import { batchSize } from "../udp/mmsghdr.ts";
import {
  checkFrame,
  composeHead,
  destinationAt,
  headOf,
  longestHead,
  makeClient,
  messageEnd,
  portOf,
  readClient,
} from "./frame.ts";
import { chunk, type OpenQueue } from "./queue.ts";

/** Octets of Ethernet's header. */
const ethernet = 14;
const nothing = new Uint8Array(0);

export class Frames {
  readonly #queue: OpenQueue;
  readonly #counts: Float64Array;
  readonly #rooms: Readonly<Record<4 | 6, number>>;
  readonly #clients = { 4: makeClient(4), 6: makeClient(6) } as const;
  /** Of each frame of the batch: where it is, and the octets before its DNS message, 0 if it gets no answer. */
  readonly #at = new Uint32Array(batchSize);
  readonly #heads = new Uint8Array(batchSize);
  /** Chunks for answers; the first `#free` are free. */
  readonly #chunks: Uint32Array;
  #free = 0;
  readonly #isFree: Uint8Array;
  readonly #late = new LateQueries(longestHead + mostLateOctets);
  /** The number of queries of the last batch that were answered, not put aside. */
  answered = 0;

  /** `mtu`: octets of the longest IP packet. */
  constructor(queue: OpenQueue, mtu: number, counts: Float64Array) {
    this.#queue = queue;
    this.#counts = counts;
    const longest = Math.min(mtu + ethernet, chunk);
    this.#rooms = { 4: Math.min(replyRoom, longest - headOf[4]), 6: Math.min(replyRoom, longest - headOf[6]) };
    const chunks = queue.memory.octets.length / chunk;
    this.#chunks = new Uint32Array(chunks);
    this.#isFree = new Uint8Array(chunks);
    for (const address of queue.answers) this.#giveFree(address);
  }

  /** Whether queries were put aside. */
  get hasLate(): boolean {
    return !this.#late.isEmpty;
  }

  /** Answers the first `count` frames, and gives their chunks back. Queries that the service answers last are put aside. */
  answer(count: number, service: QueryService): void {
    const { rx, memory, inHand } = this.#queue;
    // a query that ends the process is not read again
    inHand[0] = count;
    this.#counts[udpCounts.batches]!++;
    this.#counts[udpCounts.datagrams]! += count;
    for (let slot = 0; slot < count; slot++) {
      const at = rx.addressAt(slot);
      const head = checkFrame(memory, at, rx.lengthAt(slot));
      this.#at[slot] = at;
      this.#heads[slot] = head;
      if (head === 0) this.#counts[udpCounts.dropped]!++;
      else if (count > 1) service.prefetch?.(memory.octets, at + head, messageEnd(memory, at, head));
    }
    const isCrowded = service.isCrowded === true;
    this.answered = 0;
    this.#reclaim();
    for (let slot = 0; slot < count; slot++) {
      const head = this.#heads[slot]!;
      if (head === 0 || (isCrowded && this.#putAside(this.#at[slot]!, head, service))) continue;
      this.answered++;
      this.#answer(this.#at[slot]!, head, service);
    }
    this.#giveBack(count);
  }

  /** Gives the oldest query that was put aside a turn, if one is left. It stays the oldest until it is answered. */
  answerLate(service: QueryService): void {
    const kept = this.#late.first(performance.now());
    if (!kept) return;
    const { memory, spare } = this.#queue;
    memory.octets.set(kept.query, spare);
    const head = checkFrame(memory, spare, kept.query.length);
    this.#reclaim();
    const isDone = head === 0 || this.#answer(spare, head, service, service.answerInTurns);
    if (isDone) this.#late.remove();
    this.#queue.tx.publish();
  }

  /** Skips the first `count` frames. */
  skip(count: number): void {
    this.#counts[udpCounts.datagrams]! += count;
    this.#counts[udpCounts.late]! += count;
    for (let slot = 0; slot < count; slot++) this.#at[slot] = this.#queue.rx.addressAt(slot);
    this.#giveBack(count);
  }

  /** Answers the query in a frame. Returns false if `inTurns` has not finished it. */
  #answer(at: number, head: number, service: QueryService, inTurns?: Answer): boolean {
    const { memory, tx } = this.#queue;
    const { octets } = memory;
    const client = this.#clients[head === headOf[4] ? 4 : 6];
    readClient(memory, at, head, client);
    if (!isAnswerable(client, portOf(memory, at, head), octets, destinationAt(at, head))) {
      this.#counts[udpCounts.dropped]!++;
      return true;
    }
    if (this.#free === 0) {
      this.#counts[udpCounts.unsent]!++;
      return true;
    }
    const out = this.#chunks[this.#free - 1]!;
    const from = at + head;
    const end = messageEnd(memory, at, head);
    const room = this.#rooms[client.family];
    const written = inTurns
      ? inTurns(octets, from, end, client, octets, out + head, room)
      : askService(service, octets, from, end, client, octets, out + head, room);
    if (written <= 0) return written !== unfinished;
    this.#free--;
    this.#isFree[out / chunk] = 0;
    tx.writeFrame(out, composeHead(memory, out, at, head, written));
    return true;
  }

  /** Keeps a copy of a query that is answered last. Without room for it, it gets no answer. */
  #putAside(at: number, head: number, service: QueryService): boolean {
    const { memory } = this.#queue;
    const client = this.#clients[head === headOf[4] ? 4 : 6];
    const end = messageEnd(memory, at, head);
    readClient(memory, at, head, client);
    if (!service.isLast?.(memory.octets, at + head, end, client)) return false;
    const query = memory.octets.subarray(at, end);
    if (!this.#late.add({ query, name: nothing, control: nothing, controlLength: 0 }, performance.now())) {
      service.heldBack?.();
    }
    return true;
  }

  /** Publishes answers, then gives the chunks of the first `count` frames back to the kernel. */
  #giveBack(count: number): void {
    const { rx, tx, fill, inHand } = this.#queue;
    tx.publish();
    rx.release(count);
    inHand[0] = 0;
    for (let slot = 0; slot < count; slot++) fill.writeAddress(this.#at[slot]! & -chunk);
    fill.publish();
  }

  /** What a crashed worker sent may come back late, when it counts as free already. */
  #giveFree(address: number): void {
    const number = address / chunk;
    if (this.#isFree[number] === 1) return;
    this.#isFree[number] = 1;
    this.#chunks[this.#free++] = address;
  }

  /** Takes back the chunks of answers that were sent. */
  #reclaim(): void {
    const { completion } = this.#queue;
    const count = completion.count;
    for (let n = 0; n < count; n++) this.#giveFree(completion.addressAt(n) & -chunk);
    if (count > 0) completion.release(count);
  }
}
