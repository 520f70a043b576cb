/** Changes of configuration that a caller may see, as marks on the time axis of statistics. */
import { type Static, Type } from "typebox";
import { typeName } from "../../dns/type-names.ts";
import { type Access, reachesAll, reachesRecord } from "../access/access.ts";
import { type OpenPage, openPage } from "../kit/listing.ts";
import { names, nullable } from "../kit/schema.ts";
import type { Ctx } from "../write/context.ts";
import type { ChangedName, MarkRow } from "./marks-store.ts";

const right = "dns.view_zones";

export const Mark = Type.Object(
  {
    at: Type.Integer({ description: "Unix seconds." }),
    zone: Type.String(),
    action: nullable(Type.String({ description: "As in the activity log, such as `record update`." })),
    user: nullable(
      Type.Object(
        { id: Type.String(), name: Type.String(), type: Type.String() },
        { description: "The user or key that made the change, as in the activity log." },
      ),
    ),
    change: Type.String({ description: "The id of the change." }),
    settings: Type.Boolean({ description: "Whether the zone's own settings changed." }),
    records: nullable(
      Type.Integer({ description: "How many records changed; null for a change that is too large to count here." }),
    ),
    names: names("The first of them, as name and type."),
  },
  { $id: "Mark" },
);
export type Mark = Static<typeof Mark>;

/** The record of which changes are looked for. */
export type Wanted = ChangedName | undefined;

/** A change as the caller sees it: with the records that are open to it, or null if it was too large to be read. */
interface Seen extends Omit<MarkRow, "names"> {
  readonly names: readonly ChangedName[] | null;
}

/** Rows in one read, and in all reads for one page. */
const atOnce = 100;
export const mostRead = 10_000;
const mostNames = 5;

/** A page of marks. `fetch` returns at most `count` rows after a row. */
export async function markPage(
  { caller: { access }, warnings }: Ctx,
  wanted: Wanted,
  limit: number,
  fetch: (after: MarkRow | undefined, count: number) => Promise<readonly MarkRow[]>,
): Promise<OpenPage<Seen>> {
  let read = 0;
  let last: MarkRow | undefined;
  return await openPage<Seen>(
    limit,
    () => true,
    async (_, most) => {
      const count = Math.min(most, atOnce);
      const rows = await fetch(last, count);
      last = rows.at(-1) ?? last;
      read += rows.length;
      const isTooMuch = read >= mostRead && rows.length === count;
      if (isTooMuch) {
        warnings.add("marks", `only the newest ${mostRead} changes were read; an earlier \`end\` shows older ones`);
      }
      const items = rows.flatMap((row) => seenBy(access, row, wanted));
      return { items, isLast: isTooMuch || rows.length < count };
    },
  );
}

/** A change with what the caller may see of it; none if that is nothing, or if the wanted record did not change. */
function seenBy(access: Access, row: MarkRow, wanted: Wanted): Seen[] {
  const { zone, names } = row;
  const isWhole = reachesAll(access, right, zone);
  // it may have changed the wanted record
  if (names === null) return isWhole ? [row] : [];
  const isOpen = ({ domain, type }: ChangedName) =>
    isWhole || (domain !== "" && reachesRecord(access, right, zone, domain, typeName(type)));
  const open = names.filter(isOpen);
  const isWanted = ({ domain, type }: ChangedName) => domain === wanted?.domain && type === wanted.type;
  if (wanted ? !open.some(isWanted) : open.length === 0 && !(isWhole && names.length === 0)) return [];
  return [{ ...row, names: wanted ? open.filter(isWanted) : open }];
}

export function markReply({ at, zone, action, user_id, user_name, user_type, change_id, names }: Seen): Mark {
  const records = names?.filter(({ domain }) => domain !== "");
  return {
    ...{ at, zone, action, change: change_id },
    user: user_id === null ? null : { id: user_id, name: user_name ?? "", type: user_type ?? "" },
    settings: names?.some(({ domain }) => domain === "") ?? false,
    records: records?.length ?? null,
    names: (records ?? []).slice(0, mostNames).map(({ domain, type }) => `${domain} ${type}`),
  };
}
