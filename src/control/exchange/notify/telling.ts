/** The queue of NOTIFY messages to secondaries: how many are sent at once, and when each is repeated. */
import { randomInt } from "node:crypto";
import { soaRdata } from "../../../answer/image/rrset/soa.ts";
import { notice } from "../../../dns/transfer/question.ts";
import { sign, type TsigKey } from "../../../dns/tsig/tsig.ts";
import { types } from "../../../dns/types.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import type { Log } from "../../../lib/log.ts";
import { exchange } from "../../../net/client/exchange.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { WriteOptions } from "../../write/context.ts";

/** Milliseconds after which an unanswered notice is sent again (RFC 1996 section 3.6). */
const attempts = [2000, 4000, 8000, 16_000, 32_000];
/** Milliseconds to wait for an answer. */
const patience = 2000;
/**
 * Milliseconds after which a secondary that has answered is notified again: the edge that it asked may have received the
 * change after the notice was sent, and answered with the previous serial.
 */
const repeats = [1000, 10_000];
/** Notices sent at once, for all accounts and for one; further ones wait. */
const most = 50;
const ownMost = 10;
/** Silent servers that are remembered. */
const mostSilent = 10_000;

/** The fields of a zone that a notice contains, and its account. */
type ToldZone = Pick<ZoneRow, "account_id" | "id" | "zone" | "serial" | "ttl"> & Parameters<typeof soaRdata>[0];

export interface Target {
  readonly row: ToldZone;
  readonly address: string;
  readonly port: number;
  readonly key: TsigKey | undefined;
}

interface Notice extends Target {
  /** Notices sent since the last answer, and notices answered. */
  readonly sent: number;
  readonly answered: number;
}

export interface TellingOptions {
  readonly egress: WriteOptions["settings"]["egress"];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whether the zone still has this serial; otherwise the notice is dropped. */
  readonly isCurrent: (row: ToldZone) => boolean;
}

export class Telling {
  readonly #options: TellingOptions;
  /** Waiting notices by account, server and zone: a newer notice replaces an older one. */
  readonly #queue = new Map<string, Map<string, Map<string, Notice>>>();
  readonly #under = new Set<Notice>();
  /**
   * Servers that did not answer the last notice, the most recent last. Each gets one notice at a time, and all together
   * use at most half of the slots, to find out when they answer again. Servers without zones are forgotten over time.
   */
  readonly #silent = new Set<string>();

  constructor(options: TellingOptions) {
    this.#options = options;
  }

  tell(targets: readonly Target[]): void {
    for (const target of targets) this.#enqueue({ ...target, sent: 0, answered: 0 });
    this.#begin();
  }

  #enqueue(next: Notice): void {
    const { row } = next;
    const own = this.#queue.get(row.account_id) ?? new Map<string, Map<string, Notice>>();
    const waiting = own.get(serverOf(next)) ?? new Map<string, Notice>();
    this.#queue.set(row.account_id, own.set(serverOf(next), waiting.set(row.id, next)));
  }

  /** Accounts take turns, and so do the servers of an account: one that moves to the end comes up again in this loop. */
  #begin(): void {
    for (const [account_id, own] of this.#queue) {
      if (this.#under.size >= most) return;
      const found = this.#findServer(account_id, own);
      if (!found) continue;
      const [server, waiting] = found;
      const [next] = waiting.values();
      waiting.delete(next!.row.id);
      own.delete(server);
      if (waiting.size > 0) own.set(server, waiting);
      this.#queue.delete(account_id);
      if (own.size > 0) this.#queue.set(account_id, own);
      this.#under.add(next!);
      void this.#send(next!).finally(() => {
        this.#under.delete(next!);
        this.#begin();
      });
    }
  }

  /** Decides per server, not per notice, because an account may have very many zones on one server. */
  #findServer(account_id: string, servers: ReadonlyMap<string, Map<string, Notice>>) {
    const own = [...this.#under].filter(({ row }) => row.account_id === account_id).map(serverOf);
    if (own.length >= ownMost) return undefined;
    const silent = [...this.#under].filter((each) => this.#silent.has(serverOf(each))).length;
    const ownSilent = own.filter((server) => this.#silent.has(server));
    const hasSilentPlace = silent < most / 2 && ownSilent.length < ownMost / 2;
    for (const found of servers) {
      const [server] = found;
      if (!this.#silent.has(server) || (hasSilentPlace && !ownSilent.includes(server))) return found;
    }
    return undefined;
  }

  async #send(next: Notice): Promise<void> {
    const { egress, log, signal, isCurrent } = this.#options;
    const { row, address, port, key, sent, answered } = next;
    if (signal.aborted || !isCurrent(row)) return;
    const started = performance.now();
    try {
      await egress.assertOpen({ address, port }, "primary.secondaries.ip");
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

const serverOf = ({ address, port }: Target) => `${address} ${port}`;

function messageFor(row: ToldZone, key: TsigKey | undefined): Uint8Array {
  const owner = nameFromApi(row.zone);
  const soa = { owner, type: types.SOA, ttl: row.ttl, rdata: soaRdata(row, row.serial) };
  const message = notice(randomInt(0x10000), owner, soa);
  return key ? sign(message, key, Math.floor(Date.now() / 1000)).octets : message;
}
