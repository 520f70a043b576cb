/** Zones with a partner that the settings of this start do not allow: a primary, or a secondary that is to be notified. */

import type { Log } from "../../lib/log.ts";
import { Problem } from "../../lib/problem.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { primariesOf } from "../../sync/peers.ts";
import type { WriteOptions } from "../write/context.ts";
import { listExchanged } from "./transfers/store.ts";

const pageSize = 1000;
const mostNamed = 100;
/** Milliseconds for which a count is used again. */
const countFor = 60_000;

export class CutOffZones {
  readonly #service: Pick<WriteOptions, "store" | "settings">;
  readonly #log: Log;
  #counted: { readonly at: number; readonly count: Promise<number> } | undefined;

  constructor(service: Pick<WriteOptions, "store" | "settings">, log: Log) {
    this.#service = service;
    this.#log = log;
  }

  /** Logs the names of the zones. */
  async report(): Promise<void> {
    const { names, count } = await this.#find();
    if (count === 0) return;
    this.#log.warn(
      { zones: names, more: count - names.length },
      "zones are no longer transferred or notified: --egress-allow does not include their primaries or secondaries",
    );
  }

  /** The number of zones, at most a minute old. */
  count(): Promise<number> {
    const now = performance.now();
    if (this.#counted && now - this.#counted.at < countFor) return this.#counted.count;
    const count = this.#find().then((found) => found.count);
    this.#counted = { at: now, count };
    count.catch(() => (this.#counted = undefined));
    return count;
  }

  async #find(): Promise<{ readonly names: readonly string[]; readonly count: number }> {
    const names: string[] = [];
    let count = 0;
    for (let after = { account_id: "", id: "" }; ; ) {
      const rows = await listExchanged(this.#service.store.db, after, pageSize);
      for (const row of rows) {
        if (await this.#isOpen(row)) continue;
        count++;
        if (names.length < mostNamed) names.push(row.zone);
      }
      if (rows.length < pageSize) return { names, count };
      after = rows.at(-1)!;
    }
  }

  async #isOpen({ account_id, primary, secondary }: Exchanged): Promise<boolean> {
    const notified = primary.enabled ? primary.secondaries.filter(({ notify }) => notify) : [];
    const partners = [
      ...(secondary?.enabled ? primariesOf(secondary) : []),
      ...notified.map(({ ip: address, port }) => ({ address, port })),
    ];
    try {
      for (const one of partners) await this.#service.settings.egress.assertOpen(account_id, one, "ip");
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }
}

type Exchanged = Pick<ZoneRow, "account_id" | "primary" | "secondary">;
