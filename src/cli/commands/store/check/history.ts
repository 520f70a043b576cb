/** Whether records are as the last changes of their zone made them. */
import { isDeepStrictEqual } from "node:util";
import type { HistoryEntry, RecordEntry } from "../../../../control/write/history.ts";
import { recordOfEntry } from "../../../../control/zones/history/entry.ts";
import { typeName } from "../../../../dns/type-names.ts";
import type { BulkConnection } from "../../../../storage/connection/bulk.ts";
import type { RecordState } from "../../../../sync/change.ts";
import { recordKey } from "../../../../sync/net-difference.ts";
import { recordState } from "../../../../sync/state.ts";
import { Findings } from "./findings.ts";
import { type LastChange, lastChangesText, type RecordKey, recordsAt } from "./store.ts";

/** Each may have 200 KB. */
const changesAtOnce = 100;

/** A record after the last change that touched it. */
interface Expected {
  readonly key: RecordKey;
  readonly zone: string;
  readonly serial: number;
  /** Undefined if the change removed it. */
  readonly state: RecordState | undefined;
}

export async function checkHistory(store: BulkConnection): Promise<Findings> {
  const findings = new Findings("history");
  /** Records that later changes touched, of the zone whose changes are being read. */
  let zone = { id: "", seen: new Set<string>(), isAtEnd: false };
  for await (const changes of store.read<LastChange>(lastChangesText, changesAtOnce)) {
    const expected: Expected[] = [];
    for (const change of changes) {
      if (change.zone_id !== zone.id) zone = { id: change.zone_id, seen: new Set(), isAtEnd: false };
      // what came before a change that is not known may have been changed by it
      if (!change.removed || !change.added) zone.isAtEnd = true;
      if (zone.isAtEnd) continue;
      for (const each of expectedAfter(change)) {
        const key = recordKey(each.key);
        if (!zone.seen.has(key)) expected.push(each);
        zone.seen.add(key);
      }
    }
    await compare(store, expected, findings);
  }
  return findings;
}

function expectedAfter({ account_id, zone_id, zone, serial, removed, added }: LastChange): Expected[] {
  const records = (entries: LastChange["added"]) =>
    (entries as readonly HistoryEntry[]).filter((entry): entry is RecordEntry => entry.kind === "record");
  const keyOf = ({ record: { domain, type } }: RecordEntry): RecordKey => ({ account_id, zone_id, domain, type });
  return [
    ...records(added).map((entry) => {
      return { key: keyOf(entry), zone, serial, state: recordState(recordOfEntry(account_id, entry)) };
    }),
    ...records(removed).map((entry) => ({ key: keyOf(entry), zone, serial, state: undefined })),
  ];
}

async function compare(store: BulkConnection, expected: readonly Expected[], findings: Findings): Promise<void> {
  if (expected.length === 0) return;
  const rows = await recordsAt(
    store,
    expected.map(({ key }) => key),
  );
  const present = new Map(
    rows.map((row) => [`${row.zone_id} ${recordKey(row)}`, { ...recordState(row), type: typeName(row.type) }]),
  );
  for (const { key, zone, serial, state } of expected) {
    const now = present.get(`${key.zone_id} ${recordKey(key)}`);
    if (isDeepStrictEqual(now, state)) continue;
    const what = now && state ? "is not as" : now ? "is there, but was removed when" : "is not there, but was when";
    findings.failed(
      `the zone ${zone}: the record ${key.domain} ${key.type} ${what} version ${serial} left it`,
      `somebody wrote into the store by hand: write the record again, or POST zones/${zone}/versions/${serial}/activate`,
    );
  }
}
