/** Tells secondaries of a zone that it has changed (RFC 1996), again and again until they answer or it changes anew. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { soaRdata } from "../../answer/image/soa.ts";
import { nameFromApi } from "../../dns/name.ts";
import { notice } from "../../dns/transfer/question.ts";
import { tsigAlgorithmNamed } from "../../dns/tsig/algorithms.ts";
import { sign, type TsigKey } from "../../dns/tsig/tsig.ts";
import { types } from "../../dns/types.ts";
import type { Log } from "../../lib/log.ts";
import { exchange } from "../../net/exchange.ts";
import { tsigKeyContext } from "../../sync/peers.ts";
import type { ServiceOptions } from "../context.ts";
import { findZoneById, type ZoneRow } from "../zones/store.ts";
import { findKeys, type KeyRow, listOutgoing, type OutgoingZone } from "./store.ts";

/** Milliseconds that each attempt waits for its answer (RFC 1996 section 3.6). */
const attempts = [2000, 4000, 8000, 16_000, 32_000];
/** Notices at once, of all accounts and of one; others wait. */
const most = 50;
const ownMost = 10;
/** Zones whose secondaries are found in one look: the lease must not run out meanwhile. */
const zonesAtOnce = 200;

export interface NoticesOptions {
  readonly service: ServiceOptions;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Target {
  readonly row: ZoneRow;
  readonly address: string;
  readonly port: number;
  readonly key: TsigKey | undefined;
}

export class OutgoingNotices {
  readonly #options: NoticesOptions;
  /** Serial by zone id of which the secondaries were, or are being, told. */
  readonly #told = new Map<string, number>();
  /** Zones that changed and are still to be read. */
  #changed: OutgoingZone[] = [];
  /** By account, and there by zone and address: a newer notice takes the place of one that waits. */
  readonly #queue = new Map<string, Map<string, Target>>();
  /** Whose notices are under way. */
  readonly #under: string[] = [];

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** Tells of zones that changed since the last look; at the first, of all zones. False when there are more of them. */
  async look(): Promise<boolean> {
    const { db } = this.#options.service.store;
    if (this.#changed.length === 0) this.#changed = await this.#listChanged();
    for (const { account_id, id } of this.#changed.splice(0, zonesAtOnce)) {
      const row = await findZoneById(db, account_id, id);
      if (!row) continue;
      const targets = await this.#targetsOf(row);
      this.#told.set(row.id, row.serial);
      for (const target of targets) this.#enqueue(target);
    }
    this.#begin();
    return this.#changed.length === 0;
  }

  async #listChanged(): Promise<OutgoingZone[]> {
    const rows = await listOutgoing(this.#options.service.store.db);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#told.keys()) if (!ids.has(id)) this.#told.delete(id);
    return rows.filter(({ id, serial }) => this.#told.get(id) !== serial);
  }

  async #targetsOf(row: ZoneRow): Promise<Target[]> {
    const { log, service } = this.#options;
    const notified = row.primary.secondaries.filter(({ notify }) => notify);
    const names = notified.flatMap(({ tsig_key }) => tsig_key ?? []);
    const keys = new Map(
      (await findKeys(service.store.db, row.account_id, names)).map((found) => [found.name, this.#openKey(found)]),
    );
    return notified.flatMap(({ ip: address, port, tsig_key }) => {
      const key = tsig_key === undefined ? undefined : keys.get(tsig_key);
      if (tsig_key === undefined || key) return [{ row, address, port, key }];
      log.warn({ zone: row.zone, address, port, key: tsig_key }, "a secondary is not notified: its key cannot be used");
      return [];
    });
  }

  /** Undefined for one that cannot be used: other zones are not to wait for it. */
  #openKey({ account_id, name, algorithm, secret }: KeyRow): TsigKey | undefined {
    const { service, log } = this.#options;
    const known = tsigAlgorithmNamed(algorithm);
    if (!known) return undefined;
    try {
      const opened = Buffer.from(service.secrets.open(secret, tsigKeyContext(account_id, name)), "base64");
      return { name: nameFromApi(name), algorithm: known, secret: opened };
    } catch (error) {
      log.debug({ tsig_key: name, reason: String(error) }, "a TSIG key cannot be opened");
      return undefined;
    }
  }

  #enqueue(target: Target): void {
    const { row, address, port } = target;
    const own = this.#queue.get(row.account_id) ?? new Map<string, Target>();
    this.#queue.set(row.account_id, own.set(`${row.id} ${address} ${port}`, target));
  }

  /** Accounts take turns: one that is put behind the others comes up again in the same loop. */
  #begin(): void {
    for (const [account_id, targets] of this.#queue) {
      if (this.#under.length >= most) return;
      if (this.#under.filter((holder) => holder === account_id).length >= ownMost) continue;
      this.#queue.delete(account_id);
      const [next] = targets;
      if (!next) continue;
      const [place, target] = next;
      targets.delete(place);
      if (targets.size > 0) this.#queue.set(account_id, targets);
      this.#start(account_id, target);
    }
  }

  #start(account_id: string, target: Target): void {
    this.#under.push(account_id);
    void this.#tell(target).finally(() => {
      this.#under.splice(this.#under.indexOf(account_id), 1);
      this.#begin();
    });
  }

  async #tell({ row, address, port, key }: Target): Promise<void> {
    const { service, log, signal } = this.#options;
    for (const timeout of attempts) {
      if (signal.aborted || this.#told.get(row.id) !== row.serial) return;
      const started = performance.now();
      try {
        await service.settings.egress.assertOpen({ address, port }, "primary.secondaries.ip");
        await exchange({ address, port, transport: "udp", timeout, attempts: 1 }, messageFor(row, key));
        return;
      } catch (error) {
        log.debug({ zone: row.zone, address, port, reason: String(error) }, "a secondary did not answer a notice");
        // a refusal comes at once
        const left = Math.max(0, timeout - (performance.now() - started));
        await delay(left, undefined, { signal, ref: false }).catch(() => {});
      }
    }
    log.warn({ zone: row.zone, address, port }, "a secondary does not answer notices");
  }
}

function messageFor(row: ZoneRow, key: TsigKey | undefined): Uint8Array {
  const owner = nameFromApi(row.zone);
  const soa = { owner, type: types.SOA, ttl: row.ttl, rdata: soaRdata(row, row.serial) };
  const message = notice(randomInt(0x10000), owner, soa);
  return key ? sign(message, key, Math.floor(Date.now() / 1000)).octets : message;
}
