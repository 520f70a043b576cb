/** A batch of datagrams in memory that the kernel reads and writes, and the answering of its queries. */

import { linux } from "../../lib/system/libc.ts";
import { addressAt, addressLength, type Family, sockaddrLength, sockaddrRoom } from "../socket/address.ts";
import { askService, type Client, type QueryService, unfinished } from "../socket/service.ts";
import type { LocalAddress } from "../socket/sockets.ts";
import { LateQueries } from "./late.ts";
import { isAnswerable, replyRoom, udpCounts } from "./listener.ts";
import { batchSize, controlRoom, header, makeHeaders, pin, vectorWords } from "./mmsghdr.ts";

/** Longer than any UDP payload over IPv4 or IPv6 without jumbograms. */
const queryRoom = 65_535;
/** Not a multiple of the page size, so that the starts of the buffers do not fall into the same cache sets. */
const queryStride = 65_536 + 192;
const replyStride = replyRoom + 64;

/** struct cmsghdr with the packet information of one family. */
const packetInfo = {
  4: { level: linux.IPPROTO_IP, type: linux.IP_PKTINFO, length: 28, interface: 16, destination: 20 },
  6: { level: linux.IPPROTO_IPV6, type: linux.IPV6_PKTINFO, length: 36, interface: 32, destination: 16 },
} as const;

interface SlotClient extends Client {
  port: number;
}

/**
 * Slot i of the queries belongs to the i-th received datagram. Replies are packed: reply j is sent to address j
 * (`msg_name`) with control data j, both copied from the query's slot i (j <= i, so slot j is no longer needed).
 */
export class Batch {
  /** The addresses of the two arrays of headers. */
  readonly received: number;
  readonly replies: number;
  readonly #local: LocalAddress;
  readonly #family: Family;
  /** Whether the socket has a wildcard address, so that datagrams come with their destination address. */
  readonly #wildcard: boolean;
  readonly #counts: Float64Array;
  readonly #queries: Uint8Array;
  readonly #out: Uint8Array;
  readonly #names: Uint8Array;
  readonly #control: Uint8Array;
  readonly #controlWords: Uint32Array;
  readonly #receivedHeaders: Uint32Array;
  readonly #replyHeaders: Uint32Array;
  readonly #replyVectors: Uint32Array;
  readonly #clients: readonly SlotClient[];
  readonly #late = new LateQueries();
  /** The number of queries of the last batch that were answered, not put aside. */
  answered = 0;

  constructor(local: LocalAddress, counts: Float64Array) {
    this.#local = local;
    this.#family = local.family;
    this.#wildcard = local.address.every((octet) => octet === 0);
    this.#counts = counts;
    const queries = pin(batchSize * queryStride);
    const out = pin(batchSize * replyStride);
    const names = pin(batchSize * sockaddrRoom);
    const control = pin(batchSize * controlRoom);
    const shared = { names: names.address, control: control.address };
    const received = makeHeaders({ ...shared, data: queries.address, stride: queryStride, room: queryRoom });
    const replies = makeHeaders({ ...shared, data: out.address, stride: replyStride, room: 0 });
    this.received = received.address;
    this.replies = replies.address;
    this.#receivedHeaders = received.headers;
    this.#replyHeaders = replies.headers;
    this.#replyVectors = replies.vectors;
    this.#queries = new Uint8Array(queries.memory);
    this.#out = new Uint8Array(out.memory);
    this.#names = new Uint8Array(names.memory);
    this.#control = new Uint8Array(control.memory);
    this.#controlWords = new Uint32Array(control.memory);
    const at = addressAt[this.#family];
    this.#clients = Array.from({ length: batchSize }, (_, slot) => ({
      family: this.#family,
      address: new Uint8Array(names.memory, slot * sockaddrRoom + at, addressLength[this.#family]),
      port: 0,
    }));
    this.#reset(batchSize);
  }

  /** Whether queries were put aside. */
  get hasLate(): boolean {
    return !this.#late.isEmpty;
  }

  /** Makes the oldest query that was put aside the first datagram, for `answerLate`; false if none is left. */
  recall(): boolean {
    const datagram = this.#late.first(performance.now());
    if (!datagram) return false;
    this.#queries.set(datagram.query);
    this.#names.set(datagram.name);
    this.#control.set(datagram.control);
    this.#receivedHeaders[header.length] = datagram.query.length;
    this.#receivedHeaders[header.flags] = 0;
    this.#receivedHeaders[header.controlLength] = datagram.controlLength;
    return true;
  }

  /** Gives the first datagram a turn; as long as it is not answered, `recall` returns to it. */
  answerLate(service: QueryService): number {
    const client = this.#clientOf(0);
    const length = this.#receivedHeaders[header.length]!;
    const written =
      service.answerInTurns?.(this.#queries, 0, length, client, this.#out, 0, replyRoom) ??
      askService(service, this.#queries, 0, length, client, this.#out, 0, replyRoom);
    if (written > 0) this.#address(0, 0, written);
    this.#reset(1);
    if (written !== unfinished) this.#late.remove();
    return written > 0 ? 1 : 0;
  }

  /**
   * Answers the first `count` datagrams; returns the number of replies, which are ready to be sent. Queries that the
   * service answers last are put aside.
   */
  answer(count: number, service: QueryService): number {
    this.#counts[udpCounts.batches]!++;
    this.#counts[udpCounts.datagrams]! += count;
    if (count > 1) this.#prefetch(count, service);
    const isCrowded = service.isCrowded === true;
    this.answered = count;
    let replies = 0;
    for (let slot = 0; slot < count; slot++) {
      const client = this.#clientOf(slot);
      const length = this.#receivedHeaders[slot * header.words + header.length]!;
      if (!this.#isAnswerable(slot, client)) {
        this.#counts[udpCounts.dropped]!++;
        continue;
      }
      const from = slot * queryStride;
      if (isCrowded && this.#putAside(slot, from, from + length, client, service)) {
        this.answered--;
        continue;
      }
      const at = replies * replyStride;
      const written = askService(service, this.#queries, from, from + length, client, this.#out, at, replyRoom);
      if (written > 0) this.#address(slot, replies++, written);
    }
    this.#reset(count);
    return replies;
  }

  #clientOf(slot: number): Client {
    const client = this.#clients[slot]!;
    const name = slot * sockaddrRoom;
    client.port = (this.#names[name + 2]! << 8) | this.#names[name + 3]!;
    return client;
  }

  /** Keeps a copy of a query that is answered last. Without room for it, it gets no answer. */
  #putAside(slot: number, from: number, to: number, client: Client, service: QueryService): boolean {
    if (!service.isLast?.(this.#queries, from, to, client)) return false;
    const datagram = {
      query: this.#queries.subarray(from, to),
      name: this.#names.subarray(slot * sockaddrRoom, (slot + 1) * sockaddrRoom),
      control: this.#control.subarray(slot * controlRoom, (slot + 1) * controlRoom),
      controlLength: this.#receivedHeaders[slot * header.words + header.controlLength]!,
    };
    if (!this.#late.add(datagram, performance.now())) service.heldBack?.();
    return true;
  }

  /** Skips the first `count` datagrams. */
  skip(count: number): void {
    this.#counts[udpCounts.datagrams]! += count;
    this.#counts[udpCounts.late]! += count;
    this.#reset(count);
  }

  #prefetch(count: number, service: QueryService): void {
    if (!service.prefetch) return;
    for (let slot = 0; slot < count; slot++) {
      const from = slot * queryStride;
      service.prefetch(this.#queries, from, from + this.#receivedHeaders[slot * header.words + header.length]!);
    }
  }

  #isAnswerable(slot: number, client: Client): boolean {
    if ((this.#receivedHeaders[slot * header.words + header.flags]! & linux.MSG_TRUNC) !== 0) return false;
    const { address, port } = this.#local;
    if (!this.#wildcard || !this.#hasPacketInfo(slot)) return isAnswerable(client, port, address, 0);
    return isAnswerable(client, port, this.#control, slot * controlRoom + packetInfo[this.#family].destination);
  }

  #hasPacketInfo(slot: number): boolean {
    const { level, type, length } = packetInfo[this.#family];
    const words = (slot * controlRoom) / 4;
    return (
      this.#receivedHeaders[slot * header.words + header.controlLength]! >= length &&
      this.#controlWords[words] === length &&
      this.#controlWords[words + 2] === level &&
      this.#controlWords[words + 3] === type
    );
  }

  /** Addresses the reply to the client of `slot`, with the query's destination as the source. */
  #address(slot: number, reply: number, length: number): void {
    this.#replyVectors[reply * vectorWords + 2] = length;
    if (slot !== reply) {
      const name = slot * sockaddrRoom;
      this.#names.copyWithin(reply * sockaddrRoom, name, name + sockaddrLength[this.#family]);
    }
    if (!this.#wildcard) return;
    const { length: octets, interface: index } = packetInfo[this.#family];
    const words = reply * header.words;
    if (!this.#hasPacketInfo(slot)) {
      this.#replyHeaders[words + header.controlLength] = 0;
      return;
    }
    const control = slot * controlRoom;
    if (slot !== reply) this.#control.copyWithin(reply * controlRoom, control, control + octets);
    // routing chooses the reply's interface, which need not be the query's
    this.#controlWords[(reply * controlRoom + index) / 4] = 0;
    this.#replyHeaders[words + header.controlLength] = (octets + 7) & ~7;
  }

  /** Restores the fields that the kernel changed in the first `count` headers. */
  #reset(count: number): void {
    const nameLength = sockaddrLength[this.#family];
    for (let slot = 0; slot < count; slot++) {
      const words = slot * header.words;
      this.#receivedHeaders[words + header.nameLength] = nameLength;
      this.#receivedHeaders[words + header.controlLength] = this.#wildcard ? controlRoom : 0;
      this.#replyHeaders[words + header.nameLength] = nameLength;
    }
  }
}
