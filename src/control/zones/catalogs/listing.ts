/** The records of catalog zones produced here: each change of a member rewrites the member's entry in its catalog. */

import { newId } from "../../../lib/ids.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Ctx } from "../../write/context.ts";
import { plain } from "../model/record/plain.ts";
import { recordsAt } from "../model/record/store.ts";
import { putRecord } from "../records/put.ts";

/** RFC 9432 section 4.3.1. */
const version = "2";

/** The records of one type at one name. */
interface Entry {
  readonly domain: string;
  readonly type: string;
  /** Empty for a record that must not exist. */
  readonly answers: readonly string[];
}

type Catalog = Pick<ZoneRow, "account_id" | "id">;

/** RFC 9432 section 4.1: the NS record names a server that is never queried. */
export const beginCatalog = (ctx: Ctx, row: ZoneRow): Promise<void> =>
  write(ctx, row, [
    { domain: row.zone, type: "NS", answers: ["invalid"] },
    { domain: `version.${row.zone}`, type: "TXT", answers: [version] },
  ]);

/** Updates a zone's entry in its catalog after a change of the zone; undefined means that the zone does not exist. */
export async function writeListing(ctx: Ctx, before: ZoneRow | undefined, after: ZoneRow | undefined): Promise<void> {
  const [old, now] = [before && entriesOf(before), after && entriesOf(after)];
  if (old && old.catalog.id !== now?.catalog.id) {
    const gone = old.entries.map((entry) => ({ ...entry, answers: [] }));
    await write(ctx, old.catalog, gone);
  }
  if (now) await write(ctx, now.catalog, now.entries);
}

/** RFC 9432 section 4.2: the label of a member never changes and is never reused. The zone's id has both properties. */
export const nodeOf = ({ id }: Pick<ZoneRow, "id">, catalog: string, property?: string): string =>
  `${property === undefined ? "" : `${property}.`}${id}.zones.${catalog}`;

function entriesOf(row: ZoneRow): { readonly catalog: Catalog; readonly entries: readonly Entry[] } | undefined {
  const { account_id, zone, catalog, catalog_id } = row;
  if (catalog?.role !== "member" || catalog_id === null) return undefined;
  const { of, groups, coo } = catalog;
  return {
    catalog: { account_id, id: catalog_id },
    entries: [
      { domain: nodeOf(row, of), type: "PTR", answers: [zone] },
      { domain: nodeOf(row, of, "group"), type: "TXT", answers: groups },
      { domain: nodeOf(row, of, "coo"), type: "PTR", answers: coo === null ? [] : [coo] },
    ],
  };
}

/** Safe without a lock on the names: they belong to one member, and that member's row is locked. */
async function write(ctx: Ctx, catalog: Catalog, entries: readonly Entry[]): Promise<void> {
  const records = await recordsAt(
    ctx.db,
    catalog,
    entries.map(({ domain }) => domain),
  );
  for (const entry of entries) {
    const before = records.find(({ domain, type }) => domain === entry.domain && type === entry.type);
    const present = before?.answers.map(({ answer }) => answer[0]) ?? [];
    if (present.join("\n") === entry.answers.join("\n")) continue;
    if (entry.answers.length > 0) putRecord(ctx, { before, after: rowOf(ctx, catalog, entry, before) });
    else if (before) putRecord(ctx, { before, after: undefined });
  }
}

const rowOf = ({ now }: Ctx, catalog: Catalog, entry: Entry, before: RecordRow | undefined): RecordRow => ({
  ...plain,
  account_id: catalog.account_id,
  zone_id: catalog.id,
  domain: entry.domain,
  type: entry.type,
  id: before?.id ?? newId(),
  // catalogs are only transferred, so a TTL has no effect
  ttl: 0,
  use_client_subnet: false,
  answers: entry.answers.map((answer) => ({ answer: [answer], id: newId(), meta: {} })),
  created_at: before?.created_at ?? now,
  updated_at: now,
});
