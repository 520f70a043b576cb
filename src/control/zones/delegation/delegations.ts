/**
 * Looks at the delegations of zones: of new and changed zones soon, and of all zones in a slow round. What was found is
 * kept in the store.
 */
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, seconds } from "../../../lib/clock.ts";
import { Slots } from "../../../lib/fair/slots.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
import { conflict, limited } from "../../../lib/problem.ts";
import type { Delegation } from "../../../net/client/delegation.ts";
import type { PublicNames } from "../../../net/client/public-names.ts";
import type { Store } from "../../../storage/db.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Settings } from "../../write/settings.ts";
import { findZoneById } from "../model/zone/store.ts";
import { compared } from "./compare.ts";
import { mostAddresses, mostServers, ownServers } from "./own.ts";
import {
  type DelegationKey,
  type DelegationRow,
  dropDelegation,
  findDelegation,
  leaveDue,
  putDelegation,
  takeDue,
} from "./store.ts";

export interface DelegationsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly settings: Pick<Settings, "egress">;
  /** Without a resolver, no delegation is known. */
  readonly names: PublicNames | undefined;
  readonly log: Log;
}

/** Milliseconds between two turns of the round. */
const every = 20_000;
/** Zones that a turn takes. */
export const mostTaken = 100;
/** Milliseconds that a turn gives the zones of one account; those that are left are due in the next turn. */
const turnTime = 15_000;
/** Zones that a turn looks at together: accounts share them. */
const atOnce = 20;
/** Milliseconds for one zone. */
const patience = 10_000;
/** Seconds until a zone is looked at again: if it is delegated, and otherwise. */
const again = { delegated: 24 * 3600, other: 6 * 3600 };
/** Zones that requests look at together: of all accounts, and of one. */
export const lookSlots = { all: 16, own: 2 };

export const noResolver = "this service has no resolver that sees the public DNS";

/** What handlers find in their context. */
export interface DelegationServices {
  readonly delegations: Pick<Delegations, "lookFor" | "hasResolver">;
}

export class Delegations {
  readonly hasResolver: boolean;
  readonly #options: DelegationsOptions;
  readonly #slots = new Slots(lookSlots);
  readonly #loop: Loop | undefined;

  constructor(options: DelegationsOptions) {
    this.#options = options;
    this.hasResolver = options.names !== undefined;
    const complain = (error: unknown) =>
      options.log.warn({ reason: String(error) }, "the delegations of zones could not be looked at; trying again");
    if (options.names) this.#loop = loop({ turn: (signal) => this.turn(signal), every, complain });
  }

  async close(): Promise<void> {
    await this.#loop?.close();
  }

  /** Looks at a zone for a request. */
  async lookFor(row: ZoneRow): Promise<void> {
    const { names } = this.#options;
    const { account_id, zone } = row;
    if (!names) throw conflict(`the delegation of ${zone} is not known: ${noResolver}`, { zone });
    const slot = this.#slots.take(account_id);
    if (!slot) throw limited("delegations are being looked at already: try again in a few seconds", { retry_after: 5 });
    try {
      await this.#look(names, row);
    } finally {
      slot.leave();
    }
  }

  /** Looks at zones that are due, those of each account apart from those of others. */
  async turn(signal: AbortSignal): Promise<void> {
    const { store, clock, names } = this.#options;
    if (!names) return;
    const now = seconds(clock);
    const taken = await takeDue(store.db, now, now + again.other, mostTaken);
    const queues = new Map<string, DelegationKey[]>();
    for (const key of taken) queues.set(key.account_id, [...(queues.get(key.account_id) ?? []), key]);
    const lanes = Math.max(1, Math.floor(atOnce / queues.size));
    const until = performance.now() + turnTime;
    const work = async (queue: DelegationKey[]) => {
      while (performance.now() < until && !signal.aborted) {
        const key = queue.shift();
        if (!key) return;
        await this.#lookAt(names, key, signal);
        if (signal.aborted) queue.push(key);
      }
    };
    const all = [...queues.values()];
    await Promise.all(all.flatMap((queue) => Array.from({ length: lanes }, () => work(queue))));
    const left = all.flat();
    if (left.length > 0) await leaveDue(store.db, left, now);
  }

  async #lookAt(names: PublicNames, key: DelegationKey, signal: AbortSignal): Promise<void> {
    const { db } = this.#options.store;
    const row = await findZoneById(db, key.account_id, key.zone_id);
    if (row) await this.#look(names, row, signal);
    else await dropDelegation(db, key);
  }

  async #look(names: PublicNames, row: ZoneRow, signal?: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    const { account_id, id: zone_id, zone } = row;
    const key = { account_id, zone_id };
    const before = await findDelegation(store.db, key);
    if (!before) return;
    const answer = await Promise.race([names.delegationOf(zone, this.#mayAsk(account_id)), late(signal)]);
    if (signal?.aborted) return;
    const looked_at = seconds(clock);
    const put = (after: DelegationRow) => {
      const pause = after.state === "delegated" ? again.delegated : again.other;
      return putDelegation(store.db, key, after, { before: before.due_at, again: seconds(clock) + pause });
    };
    if (answer) {
      const { asked, servers } = bounded(answer);
      const { state } = compared(zone, await ownServers(store.db, row), { asked, servers });
      return await put({ state, looked_at, asked, found: [...servers] });
    }
    // what was found earlier is still the best that is known
    await put(before.found ? before : { state: "unknown", looked_at, asked: null, found: null });
  }

  /** Whether a server of the parent, which may be the tenant's own choice, is one that the account may reach. */
  #mayAsk(account_id: string) {
    const { egress } = this.#options.settings;
    return (server: { readonly address: string; readonly port: number }) =>
      egress.assertOpen(account_id, server, "parent").then(
        () => true,
        () => false,
      );
  }
}

/** Resolves with nothing when it is too late for an answer. */
const late = (signal: AbortSignal | undefined) =>
  delay(patience, undefined, { ref: false, ...(signal && { signal }) }).catch(() => undefined);

const bounded = ({ servers, asked }: Delegation): Delegation => ({
  asked,
  servers: new Map(
    [...servers].slice(0, mostServers).map(([name, addresses]) => [name, addresses.slice(0, mostAddresses)]),
  ),
});
