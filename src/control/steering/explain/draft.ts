/** Reads what a request to explain assumes: records of a draft, and values of feeds. */
import { readPushed } from "../../../answer/model/meta.ts";
import { denied } from "../../../lib/problem.ts";
import { holds } from "../../access/access.ts";
import type { Caller } from "../../access/caller.ts";
import { rightPath } from "../../access/rights.ts";
import { tableOf } from "../../feeds/types/sourcetype.ts";
import { Changes } from "../../write/changes.ts";
import type { Ctx } from "../../write/context.ts";
import type { RecordWriteBody } from "../../zones/model/record/schema.ts";
import { readWrites, writeAcross } from "../../zones/records/across.ts";
import type { AssumedTable } from "../excerpt/feed-values.ts";
import type { LaidRecord } from "../excerpt/overlay.ts";

const nothing = () => {};

/** Checks a draft with the functions of a write, which send nothing. Throws the same Problems. */
export async function readDraft(ctx: Ctx, bodies: readonly RecordWriteBody[]): Promise<LaidRecord[]> {
  if (bodies.length === 0) return [];
  const { account_id, memory } = ctx;
  const dry: Ctx = { ...ctx, changes: new Changes(), send: nothing, flush: nothing, afterCommit: nothing };
  await memory.quotas.ready(account_id);
  const written = await writeAcross(dry, await readWrites(dry, bodies), { confirm_deletions: true });
  memory.quotas.assert(account_id, dry.changes.growth);
  return written.flatMap(({ before, after }) => {
    const row = after ?? before;
    return row ? { zone_id: row.zone_id, domain: row.domain, type: row.type, after } : [];
  });
}

/** The rights with either of which feeds may be viewed. */
const viewing = ["data.manage_datafeeds", "data.manage_datasources"] as const;

/** Checks assumed values like a push. Throws unless the caller may view feeds. */
export function readAssumed(
  { access }: Caller,
  feeds: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Map<string, AssumedTable> {
  const entries = Object.entries(feeds);
  if (entries.length > 0 && !viewing.some((right) => holds(access, right))) {
    const [right] = viewing;
    throw denied(`You do not have the permission ${rightPath(right)[1]}`, { permission: right });
  }
  return new Map(
    entries.map(([id, table]) => {
      const field = `feeds.${id}`;
      tableOf(readPushed(table, field), field);
      return [id, table];
    }),
  );
}
