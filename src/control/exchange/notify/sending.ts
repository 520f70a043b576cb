/** Sends notices to secondaries: a limited number at once, and each repeatedly until it is answered. */
import { randomInt } from "node:crypto";
import { soaRdata } from "../../../answer/image/rrset/soa.ts";
import { notifyQuery } from "../../../dns/transfer/query.ts";
import { sign, type TsigKey } from "../../../dns/tsig/tsig.ts";
import { types } from "../../../dns/types.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { FairQueue } from "../../../lib/fair/queue.ts";
import { Slots } from "../../../lib/fair/slots.ts";
import type { Log } from "../../../lib/log.ts";
import { exchange } from "../../../net/client/exchange.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { WriteOptions } from "../../write/context.ts";

/** Milliseconds after which a notice that was not answered is sent again (RFC 1996 section 3.6). */
const attempts = [2000, 4000, 8000, 16_000, 32_000];
/** Milliseconds to wait for an answer. */
const patience = 2000;
/**
 * Milliseconds after which a secondary that has answered is notified again: the edge that it asked may have received the
 * change after the notice was sent, and answered with the previous serial.
 */
const repeats = [1000, 10_000];
/** Limits on notices that are sent at the same time. */
export const notices = { all: 50, own: 10, most: 100 };
/** The same for servers that are known to be silent. */
const silentNotices = { all: 25, own: 5, most: 50 };
/** The maximum number of silent servers that are remembered. */
const mostSilent = 10_000;

/** The fields of a zone that a notice is made from, and its account. */
type NotifiedZone = Pick<ZoneRow, "account_id" | "id" | "zone" | "serial" | "ttl"> & Parameters<typeof soaRdata>[0];

export interface Target {
  readonly row: NotifiedZone;
  readonly address: string;
  readonly port: number;
  readonly key: TsigKey | undefined;
}

interface Notice extends Target {
  /** Notices sent since the last answer, and notices answered. */
  readonly sent: number;
  readonly answered: number;
}

export interface NoticeSenderOptions {
  readonly egress: WriteOptions["settings"]["egress"];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whether the zone still has this serial; otherwise a later notice replaces this one. */
  readonly isCurrent: (row: NotifiedZone) => boolean;
}

export class NoticeSender {
  readonly #options: NoticeSenderOptions;
  readonly #slots = new Slots(notices);
  readonly #silentSlots = new Slots(silentNotices);
  /** Servers with waiting notices, by account. */
  readonly #line = new FairQueue<string>();
  /** Waiting notices by account and server, then by zone: a newer notice replaces the waiting one. */
  readonly #waiting = new Map<string, Map<string, Notice>>();
  /** Notices under way, by account and server. */
  readonly #sending = new Map<string, number>();
  /**
   * Servers that did not answer the last notice, the most recent last. An account sends one notice at a time to such a
   * server, to find out when it answers again. A server that gets no more notices is forgotten over time.
   */
  readonly #silent = new Set<string>();

  constructor(options: NoticeSenderOptions) {
    this.#options = options;
  }

  send(targets: readonly Target[]): void {
    for (const target of targets) this.#enqueue({ ...target, sent: 0, answered: 0 });
    this.#begin();
  }

  #enqueue(next: Notice): void {
    const queue = queueOf(next);
    const waiting = this.#waiting.get(queue) ?? new Map<string, Notice>();
    if (waiting.size === 0) this.#line.add(next.row.account_id, serverOf(next), queue);
    this.#waiting.set(queue, waiting.set(next.row.id, next));
  }

  #begin(): void {
    const take = () => this.#line.take((account_id) => this.#slots.hasRoom(account_id), this.#mayAsk());
    for (let queue = take(); queue !== undefined; queue = take()) {
      const key = queue;
      const waiting = this.#waiting.get(key)!;
      const [next] = waiting.values();
      const { row } = next!;
      const server = serverOf(next!);
      waiting.delete(row.id);
      if (waiting.size > 0) this.#line.add(row.account_id, server, queue);
      else this.#waiting.delete(queue);
      const slots = [this.#slots.take(row.account_id)];
      if (this.#silent.has(server)) slots.push(this.#silentSlots.take(row.account_id));
      this.#count(key, 1);
      void this.#send(next!).finally(() => {
        this.#count(key, -1);
        for (const slot of slots) slot?.leave();
        this.#begin();
      });
    }
  }

  /** Decides whether a server may be notified now. Free slots for silent servers are counted once per account. */
  #mayAsk(): (account_id: string, server: string) => boolean {
    const known = new Map<string, boolean>();
    return (account_id, server) => {
      if (!this.#silent.has(server)) return true;
      if (this.#sending.has(`${account_id} ${server}`)) return false;
      const hasRoom = known.get(account_id) ?? this.#silentSlots.hasRoom(account_id);
      known.set(account_id, hasRoom);
      return hasRoom;
    };
  }

  #count(queue: string, more: 1 | -1): void {
    const count = (this.#sending.get(queue) ?? 0) + more;
    if (count > 0) this.#sending.set(queue, count);
    else this.#sending.delete(queue);
  }

  async #send(next: Notice): Promise<void> {
    const { egress, log, signal, isCurrent } = this.#options;
    const { row, address, port, key, sent, answered } = next;
    if (signal.aborted || !isCurrent(row)) return;
    const started = performance.now();
    try {
      await egress.assertOpen(row.account_id, { address, port }, "primary.secondaries.ip");
      await exchange({ address, port, transport: "udp", timeout: patience, attempts: 1 }, messageFor(row, key));
      this.#silent.delete(serverOf(next));
      this.#later({ ...next, sent: 0, answered: answered + 1 }, repeats[answered]);
    } catch (error) {
      this.#remember(serverOf(next));
      log.debug({ zone: row.zone, address, port, reason: String(error) }, "a secondary did not answer a notice");
      // a refusal arrives at once, so the rest of the pause is still ahead
      this.#later({ ...next, sent: sent + 1 }, attempts[sent]! - (performance.now() - started));
    }
  }

  #remember(server: string): void {
    this.#silent.delete(server);
    this.#silent.add(server);
    const [first] = this.#silent;
    if (this.#silent.size > mostSilent) this.#silent.delete(first!);
  }

  #later(next: Notice, after: number | undefined): void {
    const { log, signal, isCurrent } = this.#options;
    const again = () => {
      const { row, address, port, sent } = next;
      if (signal.aborted || !isCurrent(row)) return;
      if (sent === attempts.length)
        return log.warn({ zone: row.zone, address, port }, "a secondary does not answer notices");
      this.#enqueue(next);
      this.#begin();
    };
    if (after !== undefined) setTimeout(again, Math.max(0, after)).unref();
  }
}

const queueOf = (notice: Notice) => `${notice.row.account_id} ${serverOf(notice)}`;

const serverOf = ({ address, port }: Target) => `${address} ${port}`;

function messageFor(row: NotifiedZone, key: TsigKey | undefined): Uint8Array {
  const owner = nameFromApi(row.zone);
  const soa = { owner, type: types.SOA, ttl: row.ttl, rdata: soaRdata(row, row.serial) };
  const message = notifyQuery(randomInt(0x10000), owner, soa);
  return key ? sign(message, key, Math.floor(Date.now() / 1000)).octets : message;
}
