/** Notifies the secondaries of a zone that it has changed (RFC 1996), until they answer or it changes again. */
import { tsigAlgorithmNamed } from "../../../dns/tsig/algorithms.ts";
import type { TsigKey } from "../../../dns/tsig/tsig.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import type { Log } from "../../../lib/log.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { tsigKeyContext } from "../../../sync/peers.ts";
import type { WriteOptions } from "../../write/context.ts";
import { findZone, findZoneById } from "../../zones/model/zone/store.ts";
import { findKeys, type KeyRow, listOutgoing, type OutgoingZone } from "../transfers/store.ts";
import { NoticeSender, type Target } from "./sending.ts";

/** Zones whose secondaries are found in one call of `notifyChanged`: few enough that the lease does not expire during it. */
const zonesAtOnce = 200;

export interface NoticesOptions {
  readonly service: WriteOptions;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export class OutgoingNotices {
  readonly #options: NoticesOptions;
  /** The serial that the secondaries were last notified of, by zone id. */
  readonly #notified = new Map<string, number>();
  /** Changed zones that have not been read yet. */
  #changed: OutgoingZone[] = [];
  readonly #sender: NoticeSender;

  constructor(options: NoticesOptions) {
    this.#options = options;
    const { service, log, signal } = options;
    const isCurrent = ({ id, serial }: OutgoingZone) => this.#notified.get(id) === serial;
    this.#sender = new NoticeSender({ egress: service.settings.egress, log, signal, isCurrent });
  }

  /** Sends notices of zones that changed since the last call; at the first call, of all zones. False when there are more. */
  async notifyChanged(): Promise<boolean> {
    if (this.#changed.length === 0) this.#changed = await this.#listChanged();
    for (const { account_id, id } of this.#changed.splice(0, zonesAtOnce)) {
      const row = await this.#findNotified(account_id, id);
      if (!row) continue;
      const targets = await this.#targetsOf(row);
      this.#notified.set(row.id, row.serial);
      this.#sender.send(targets);
    }
    return this.#changed.length === 0;
  }

  /** The zone as its secondaries see it: a linked one is its target under its own name (ADR 16). */
  async #findNotified(account_id: string, id: string): Promise<ZoneRow | undefined> {
    const { db } = this.#options.service.store;
    const row = await findZoneById(db, account_id, id);
    if (!row?.link) return row;
    const target = await findZone(db, account_id, row.link);
    return target && { ...target, id, zone: row.zone };
  }

  async #listChanged(): Promise<OutgoingZone[]> {
    const rows = await listOutgoing(this.#options.service.store.db);
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of this.#notified.keys()) if (!ids.has(id)) this.#notified.delete(id);
    return rows.filter(({ id, serial }) => this.#notified.get(id) !== serial);
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

  /** Returns undefined for a key that cannot be used, so that other zones do not wait for it. */
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
}
