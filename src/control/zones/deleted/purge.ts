/** Removes deleted zones that can no longer be brought back, and frees their names. */
import type { Store } from "../../../storage/db.ts";
import { claimScope } from "../model/zone/ownership.ts";
import { lockDomains } from "../model/zone/store.ts";
import { expireDeleted, expireOldest, listExpired, releaseClaim, removeContents, removeDeleted } from "./store.ts";

const mostAtOnce = 100;

/** Removes the deleted zones of an account up to a time of deletion before they would have to go; returns their number. */
export async function purgeOldest(store: Store, account_id: string, until: number): Promise<number> {
  const count = await expireOldest(store.db, account_id, until);
  await purgeDeleted(store, 0);
  return count;
}

export async function purgeDeleted(store: Store, now: number): Promise<void> {
  for (let last = mostAtOnce; last === mostAtOnce; ) {
    const rows = await listExpired(store.db, now, mostAtOnce);
    for (const row of rows) {
      const isGone = await store.transaction(async (tx) => {
        if (!(await expireDeleted(tx, row))) return false;
        await lockDomains(tx, claimScope(row.zone).registrable, []);
        await releaseClaim(tx, row, now);
        return true;
      });
      // brought back in the meantime: the records belong to a zone again
      if (!isGone) continue;
      await removeContents(store.db, row);
      await removeDeleted(store.db, row);
    }
    last = rows.length;
  }
}
