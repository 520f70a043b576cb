/** Looks for what needs attention in an account or in some of its zones, and stores what it finds. */
import { seconds } from "../../lib/clock.ts";
import { anonymous, type Caller } from "../access/caller.ts";
import { grantOf } from "../access/permit.ts";
import { isFirstAccount } from "../kit/store.ts";
import { getSettings } from "../people/account/settings-store.ts";
import { lintZone } from "../steering/lint/zone.ts";
import { contextOf, type WriteOptions } from "../write/context.ts";
import { unlimited } from "../write/quota/quota.ts";
import { findZoneById } from "../zones/model/zone/store.ts";
import { countCells, listEnding, listSilent } from "./holder-store.ts";
import { feedItem, keyItem, nearEnd } from "./holders.ts";
import { type Kind, kindsOf } from "./item.ts";
import { limitItems } from "./limits.ts";
import { lintDue, lintItems } from "./lint.ts";
import { replaceItems } from "./store.ts";
import { type CheckedZone, forgetLint, saveLint } from "./zone-store.ts";
import { itemsOfZone } from "./zones.ts";

export class Checks {
  readonly #service: WriteOptions;
  /** Awaited between two steps of long work. */
  readonly #pace: () => Promise<void>;

  constructor(service: WriteOptions, pace: () => Promise<void>) {
    this.#service = service;
    this.#pace = pace;
  }

  /** Feeds, keys and limits of an account. */
  async account(account_id: string): Promise<void> {
    const { store, clock } = this.#service;
    const db = store.readsOf(account_id);
    const now = seconds(clock);
    const feeds = (await listSilent(db, account_id, now)).map(feedItem);
    const ending = await listEnding(db, account_id, now - nearEnd, now + nearEnd);
    const keys = ending.map((key) => keyItem(key, now));
    const extent = { kinds: [...kindsOf.feed, ...kindsOf.key] };
    await store.transaction((tx) => replaceItems(tx, account_id, extent, [...feeds, ...keys], now), { account_id });
  }

  /** The limits of an account that this process has counted. */
  async limits(account_id: string): Promise<void> {
    const { store, clock, memory } = this.#service;
    const known = memory.quotas.known(account_id);
    if (!known) return;
    const db = store.readsOf(account_id);
    const { usage_warnings } = await getSettings(db, account_id);
    const isFree = known.quota === unlimited && (await isFirstAccount(db, account_id));
    const cells = isFree ? undefined : await countCells(db, account_id);
    const items = limitItems({ quota: known.quota, used: known.used, cells, usage_warnings });
    const extent = { kinds: kindsOf.limit };
    await store.transaction((tx) => replaceItems(tx, account_id, extent, items, seconds(clock)), { account_id });
  }

  /** How many of some zones are to be looked through for mistakes. */
  countDue(zones: readonly CheckedZone[]): number {
    const now = seconds(this.#service.clock);
    return zones.filter((zone) => lintDue(zone, now) === "now").length;
  }

  /**
   * The transfers and mistakes of some zones. At most `mostLinted` are looked through for mistakes. Returns the ids of the
   * zones that are to be looked through later.
   */
  async zones(account_id: string, zones: readonly CheckedZone[], mostLinted: number): Promise<string[]> {
    if (zones.length === 0) return [];
    const { store, clock } = this.#service;
    const now = seconds(clock);
    const items = zones.flatMap((zone) => itemsOfZone(zone, now));
    const extent = { kinds: kindsOf.zone, things: zones.map(({ id }) => id) };
    await store.transaction((tx) => replaceItems(tx, account_id, extent, items, now), { account_id });
    // such as those that are secondary now
    const unread = zones.flatMap(({ id, is_own, lint_at }) => (!is_own && lint_at !== null ? id : []));
    await this.#forget(account_id, unread, kindsOf.lint);
    const due = zones.filter((zone) => lintDue(zone, now) === "now");
    for (const zone of due.slice(0, mostLinted)) await this.#lint(account_id, zone);
    return zones.filter((zone) => lintDue(zone, now) === "later").map(({ id }) => id);
  }

  /** Removes everything about zones that are gone. */
  async forget(account_id: string, ids: readonly string[]): Promise<void> {
    await this.#forget(account_id, ids, [...kindsOf.zone, ...kindsOf.lint]);
  }

  async #forget(account_id: string, things: readonly string[], kinds: readonly Kind[]): Promise<void> {
    if (things.length === 0) return;
    await this.#service.store.transaction(
      async (tx) => {
        await replaceItems(tx, account_id, { kinds, things }, [], 0);
        await forgetLint(tx, account_id, things);
      },
      { account_id },
    );
  }

  async #lint(account_id: string, { id }: CheckedZone): Promise<void> {
    const { store, clock } = this.#service;
    const db = store.readsOf(account_id);
    const zone = await findZoneById(db, account_id, id);
    if (!zone) return;
    const began = performance.now();
    const linted = await lintZone(contextOf(this.#service, db, service(account_id)), zone, this.#pace);
    const took = Math.ceil(performance.now() - began);
    const now = seconds(clock);
    const state = { zone_id: id, serial: zone.serial, checked_at: now, took };
    const extent = { kinds: kindsOf.lint, things: [id] };
    await store.transaction(
      async (tx) => {
        await replaceItems(tx, account_id, extent, lintItems(zone, linted), now);
        await saveLint(tx, account_id, state);
      },
      { account_id },
    );
  }
}

/** The service itself, which sees everything of an account. */
const service = (account_id: string): Caller => ({
  ...anonymous,
  account_id,
  id: "attention",
  name: "attention",
  access: [grantOf({})],
});
