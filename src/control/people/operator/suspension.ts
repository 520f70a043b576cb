/** Suspending accounts: the keys and users of a suspended account are refused, its zones are still served. */
import { setTimeout as delay } from "node:timers/promises";
import type { Store } from "../../../storage/db.ts";
import { announceChange, insertChanges, newChange } from "../../../storage/outbox/changes.ts";
import { zoneState } from "../../../sync/state.ts";
import { lockAccount, type Tx } from "../../kit/store.ts";
import { getAccount, logChange } from "./accounts.ts";
import { type AccountRow, setSuspended, withholdSome } from "./accounts-store.ts";

/** Suspends an account; with `stopAnswering`, its zones are not served either. Returns false if nothing changed. */
export async function suspendAccount(
  store: Store,
  account: AccountRow,
  { stopAnswering, now }: { stopAnswering: boolean; now: number },
): Promise<boolean> {
  const begun = await setState(store, account, now, "suspend");
  if (!stopAnswering) return begun;
  // for this long, a process may still accept the account's cached keys, and create zones for their requests
  if (begun) await delay(cachedFor);
  const withheld = await withhold(store, account, true, now);
  return begun || withheld > 0;
}

/** Resumes an account. Its withheld zones are served before its keys work. Returns false if nothing changed. */
export async function resumeAccount(store: Store, account: AccountRow, now: number): Promise<boolean> {
  const given = await withhold(store, account, false, now);
  return (await setState(store, account, now, "resume")) || given > 0;
}

async function setState(store: Store, { id }: AccountRow, now: number, action: "suspend" | "resume"): Promise<boolean> {
  return await store.transaction(async (tx) => {
    await lockAccount(tx, id);
    const account = await getAccount(tx, id);
    const suspended_at = action === "suspend" ? now : null;
    if ((account.suspended_at === null) === (suspended_at === null)) return false;
    await setSuspended(tx, id, suspended_at);
    await logChange(tx, { ...account, suspended_at }, action, now);
    return true;
  });
}

/** Milliseconds for which a process may cache a caller. */
const cachedFor = 1000;
const zonesAtOnce = 200;
/** Milliseconds for one transaction. */
const patience = 60_000;

/**
 * Withholds or releases the account's zones in small transactions, and returns their number. Their serials stay, since
 * their contents have not changed.
 */
async function withhold(store: Store, { id: account_id }: AccountRow, withheld: boolean, now: number): Promise<number> {
  const some = async (tx: Tx) => {
    const rows = await withholdSome(tx, account_id, withheld, zonesAtOnce);
    const zone_ids = rows.map(({ id }) => id);
    const changes = rows.map((row) => ({ kind: "zone" as const, zone: zoneState(row) }));
    const given = Object.fromEntries(zone_ids.map((id) => [id, null]));
    if (rows.length > 0)
      await insertChanges(tx, [newChange({ account_id, zone_ids, changes, history: [], now, given })]);
    return rows.length;
  };
  for (let count = 0; ; ) {
    const done = await store.transaction(some, { within: patience });
    if (done > 0) await announceChange(store.db);
    count += done;
    if (done < zonesAtOnce) return count;
  }
}
