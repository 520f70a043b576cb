/** Transfers of zones to other servers: whole (RFC 5936) or as differences (RFC 1995), read through the site. */

import { soaRdata } from "../../answer/image/rrset/soa.ts";
import { flatten } from "../../answer/reply/flatten.ts";
import type { ResourceRecord } from "../../dns/reply.ts";
import { StreamSigner } from "../../dns/tsig/stream.ts";
import { signatureOctets } from "../../dns/tsig/tsig.ts";
import { types } from "../../dns/types.ts";
import { Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { mostOctets, nameFromApi } from "../../dns/wire/name.ts";
import { type Holder, type SlotLimits, Slots } from "../../lib/fair/slots.ts";
import { isLaterSerial } from "../../lib/serial.ts";
import type { Outgoing } from "../../sync/peers.ts";
import type { ZoneAtSerial, ZoneChanges, ZoneReading, ZoneSource } from "../../sync/zone.ts";
import type { JudgedSignature } from "../serve/signing.ts";
import { type Question, refusalOf, TransferMessages } from "./messages.ts";

export type SentZone = Pick<Outgoing, "account_id" | "zone_id" | "zone">;

export interface TransferRequest {
  readonly question: Question;
  /** The client's IPv4 address or IPv6 /48, as `networkOf` names it. */
  readonly network: string;
  readonly zone: SentZone;
  /** The serial of the client, when it asks for differences. */
  readonly since: number | undefined;
  readonly signature: JudgedSignature | undefined;
}

/** Slots for outgoing transfers, by account of the zone; `most` is the number of zones that are sent at once. */
export const outgoingSlots = (most: number): SlotLimits => ({ all: most, own: Math.ceil(most / 2), most: 2 * most });
/** The number of waiting requests for each simultaneous transfer. */
const waitingForEach = 10;
/** Maximum milliseconds for which a reading is open. */
const longest = 3_600_000;

export interface TransfersOptions {
  readonly zones: ZoneSource;
  /** The number of zones sent at once; accounts below their share may exceed it. */
  readonly most: number;
}

/** Undefined when the zone does not exist. Rejects while the store is unreachable. */
type Open = (zone: SentZone) => Promise<ZoneReading | undefined>;

export class Transfers {
  readonly #open: Open;
  readonly #slots: Slots;
  /** Settles with the last read from the site. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(open: Open, most: number) {
    this.#open = open;
    const limits = outgoingSlots(most);
    const waiting = { all: most * waitingForEach, own: limits.own * waitingForEach };
    this.#slots = new Slots({ ...limits, waiting });
  }

  /**
   * The messages of the answer. Throws when it cannot be completed: the connection must then be closed. `client` can lose
   * the slot when it reads too slowly.
   */
  async *run(request: TransferRequest, client: Holder): AsyncGenerator<Uint8Array> {
    const { question, signature, network, zone } = request;
    const signer = signature?.key && new StreamSigner(signature.key, signature.signature.mac);
    const octets = signature?.key ? signatureOctets(signature.key) : 0;
    const sealed = (message: Uint8Array) => signer?.sign(message, Math.floor(Date.now() / 1000)) ?? message;
    const slot = await this.#slots.wait(zone.account_id, network, { holder: client });
    if (!slot) {
      yield sealed(refusalOf(question, Rcode.REFUSED, octets));
      return;
    }
    let reading: ZoneReading | undefined;
    try {
      reading = await this.#open(zone).catch(() => undefined);
      const refusal = refusalFor(reading);
      if (!reading || refusal !== Rcode.NOERROR) yield sealed(refusalOf(question, refusal, octets));
      else {
        const contents = this.#oneAtATime(contentsOf(reading, request.since));
        const rename = renaming(reading.now.zone.zone, zone.zone);
        const messages = new TransferMessages(question, octets);
        for await (const message of messagesOf(contents, rename, messages)) yield sealed(message);
      }
    } catch (error) {
      throw new Error(`a transfer of ${zone.zone} was cut off: ${error instanceof Error ? error.message : error}`);
    } finally {
      reading?.close();
      slot.leave();
    }
  }

  /** Lets only one transfer read at a time, batch by batch, so that all transfers together use one core. */
  async *#oneAtATime<T>(contents: AsyncGenerator<T>): AsyncGenerator<T> {
    for (;;) {
      const next = this.#reading.then(() => contents.next());
      this.#reading = next.catch(() => {});
      const { done, value } = await next;
      if (done) return;
      yield value;
    }
  }
}

function refusalFor(reading: ZoneReading | undefined): number {
  if (!reading || reading.now.zone.expired) return Rcode.SERVFAIL;
  return reading.now.zone.disabled ? Rcode.REFUSED : Rcode.NOERROR;
}

async function* messagesOf(
  contents: AsyncIterable<Iterable<ResourceRecord>>,
  rename: ReturnType<typeof renaming>,
  messages: TransferMessages,
): AsyncGenerator<Uint8Array> {
  const deadline = performance.now() + longest;
  for await (const records of contents) {
    for (const record of records) {
      const owned = rename(record);
      const full = owned && messages.add(owned);
      if (!full) continue;
      yield full;
      if (performance.now() > deadline) throw new Error("the transfer takes too long");
    }
  }
  yield messages.end();
}

/** Renames records into a linked zone. Undefined for a name that becomes too long: no query can ask for it. */
function renaming(from: string, to: string): (record: ResourceRecord) => ResourceRecord | undefined {
  if (from === to) return (record) => record;
  const kept = nameFromApi(from).length;
  const apex = nameFromApi(to);
  return (record) => {
    const below = record.owner.subarray(0, record.owner.length - kept);
    if (below.length + apex.length > mostOctets) return undefined;
    return { ...record, owner: Uint8Array.of(...below, ...apex) };
  };
}

async function* contentsOf(reading: ZoneReading, since: number | undefined): AsyncGenerator<Iterable<ResourceRecord>> {
  const { now } = reading;
  const soa = [soaOf(now)];
  yield soa;
  if (since !== undefined) {
    // RFC 1995 section 2: a client with this version, or a later one, gets the SOA record alone
    if (since === now.serial || isLaterSerial(since, now.serial)) return;
    const changes = await reading.changesSince(since);
    if (changes) {
      yield* differencesOf(changes, soa);
      return;
    }
  }
  for await (const records of reading.records()) yield records.flatMap(flatten);
  yield soa;
}

/** RFC 1995 section 4: one sequence from the old serial to the new one. */
function* differencesOf({ before, removed, added }: ZoneChanges, soa: readonly ResourceRecord[]) {
  const old = keyed(removed.flatMap(flatten));
  const young = keyed(added.flatMap(flatten));
  yield [soaOf(before)];
  yield [...old].flatMap(([key, record]) => (young.has(key) ? [] : [record]));
  yield soa;
  yield [...young].flatMap(([key, record]) => (old.has(key) ? [] : [record]));
  yield soa;
}

const keyed = (records: readonly ResourceRecord[]) =>
  new Map(records.map((record) => [keyOf(record), record] as const));

const keyOf = ({ owner, type, ttl, rdata }: ResourceRecord) =>
  `${type.code} ${ttl} ${Buffer.from(owner).toString("latin1")} ${Buffer.from(rdata).toString("latin1")}`;

const soaOf = ({ zone, serial }: ZoneAtSerial): ResourceRecord => ({
  owner: nameFromApi(zone.zone),
  type: types.SOA,
  ttl: zone.ttl,
  rdata: soaRdata(zone, serial),
});

/** Whether an unparsed message may ask for a whole zone. */
export function mayAskForZone(packet: Uint8Array, from: number, to: number): boolean {
  // only a query with one question; malformed messages are handled elsewhere
  if ((packet[from + 2]! & 0xf8) !== 0 || packet[from + 4] !== 0 || packet[from + 5] !== 1) return false;
  let at = from + 12;
  while (at < to && packet[at] !== 0) at += 1 + packet[at]!;
  const type = at + 3 > to ? 0 : (packet[at + 1]! << 8) | packet[at + 2]!;
  return type === TypeCode.AXFR || type === TypeCode.IXFR;
}
