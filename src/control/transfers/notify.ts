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
import { findKeys, listOutgoing } from "./store.ts";

/** Milliseconds that each attempt waits for its answer (RFC 1996 section 3.6). */
const attempts = [2000, 4000, 8000, 16_000, 32_000];
/** Notices at once; others wait. */
const most = 50;

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
  readonly #queue: Target[] = [];
  #under = 0;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** Tells of all zones that changed since the last look; at the first, of all zones. */
  async look(): Promise<void> {
    const rows = await listOutgoing(this.#options.service.store.db);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#told.keys()) if (!ids.has(id)) this.#told.delete(id);
    for (const { account_id, id, serial } of rows) {
      if (this.#told.get(id) === serial) continue;
      const row = await findZoneById(this.#options.service.store.db, account_id, id);
      if (!row) continue;
      this.#told.set(row.id, row.serial);
      for (const target of await this.#targetsOf(row)) this.#queue.push(target);
    }
    this.#begin();
  }

  async #targetsOf(row: ZoneRow): Promise<Target[]> {
    const { log, service } = this.#options;
    const { secrets, store } = service;
    const notified = row.primary.secondaries.filter(({ notify }) => notify);
    const names = notified.flatMap(({ tsig_key }) => tsig_key ?? []);
    const keys = new Map(
      (await findKeys(store.db, row.account_id, names)).flatMap(({ account_id, name, algorithm, secret }) => {
        const known = tsigAlgorithmNamed(algorithm);
        if (!known) return [];
        const opened = Buffer.from(secrets.open(secret, tsigKeyContext(account_id, name)), "base64");
        return [[name, { name: nameFromApi(name), algorithm: known, secret: opened }] as const];
      }),
    );
    return notified.flatMap(({ ip: address, port, tsig_key }) => {
      const key = tsig_key === undefined ? undefined : keys.get(tsig_key);
      if (tsig_key === undefined || key) return [{ row, address, port, key }];
      log.warn({ zone: row.zone, address, port, key: tsig_key }, "a secondary is not notified: its key is not known");
      return [];
    });
  }

  #begin(): void {
    while (this.#under < most) {
      const target = this.#queue.shift();
      if (!target) return;
      this.#under++;
      void this.#tell(target).finally(() => {
        this.#under--;
        this.#begin();
      });
    }
  }

  async #tell({ row, address, port, key }: Target): Promise<void> {
    const { service, log, signal } = this.#options;
    for (const timeout of attempts) {
      if (signal.aborted || this.#told.get(row.id) !== row.serial) return;
      const started = performance.now();
      try {
        service.settings.egress.assertOpen({ address, port }, "primary.secondaries.ip");
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
