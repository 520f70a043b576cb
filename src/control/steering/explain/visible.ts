/** The records of an answer that the caller may see: all of other accounts, whose answers are public, and its own by its rights. */
import { rdataFromApi, rdataToApi } from "../../../dns/rdata/codec.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { ancestorsOf, apiName, nameToApi } from "../../../dns/wire/name.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { reachesRecord, reachesZone } from "../../access/access.ts";
import type { ReadCtx } from "../../write/context.ts";
import type { Excerpt } from "../excerpt/excerpt.ts";

const right = "dns.view_zones";

/** Names in a chain of ALIAS and CNAME records; the engine follows no more. */
const mostHops = 16;

export function isVisible({ account_id, caller }: ReadCtx, excerpt: Excerpt, row: RecordRow): boolean {
  const zone = excerpt.zoneOf(row.domain);
  if (row.account_id !== account_id || !zone) return false;
  return reachesRecord(caller.access, right, zone.zone, row.domain, row.type);
}

/** Returns the function that decides whether a record of an answer is shown. */
export function shownTo(ctx: ReadCtx, excerpt: Excerpt): (record: ResourceRecord) => boolean {
  const known = new Map<string, boolean>();
  return ({ owner, type }) => {
    const name = nameToApi(owner).toLowerCase();
    const key = `${name} ${type.name}`;
    const isShown = known.get(key) ?? opens(ctx, excerpt, name, type.name, mostHops);
    known.set(key, isShown);
    return isShown;
  };
}

/** Whether the caller may see all records that records of this name and type may have been made from. */
function opens(ctx: ReadCtx, excerpt: Excerpt, name: string, type: string, hops: number): boolean {
  const zone = excerpt.zoneOf(name);
  const stored = excerpt.storedAt(name);
  if (!zone || !stored || zone.account_id !== ctx.account_id) return true;
  const { access } = ctx.caller;
  if (!reachesZone(access, right, zone.zone) || !reachesZone(access, right, stored.zone.zone)) return false;
  return sourcesOf(excerpt, name, type).every((row) => {
    const target = excerpt.target(row);
    if (!isVisible(ctx, excerpt, row) || (target && !isVisible(ctx, excerpt, target))) return false;
    const next = type === row.type ? undefined : leadsTo(target ?? row);
    return next === undefined || hops === 0 || opens(ctx, excerpt, next, type, hops - 1);
  });
}

/** The records that answer this type at a name: its own, or those of the closest wildcard or DNAME above. */
function sourcesOf(excerpt: Excerpt, name: string, type: string): RecordRow[] {
  const types = [type, "CNAME", ...(type === "A" || type === "AAAA" ? ["ALIAS"] : [])];
  const at = (owner: string, among: readonly string[]) => among.flatMap((one) => excerpt.record(owner, one) ?? []);
  const above = ancestorsOf(name).flatMap((owner) => [() => at(`*.${owner}`, types), () => at(owner, ["DNAME"])]);
  for (const find of [() => at(name, types), ...above]) {
    const found = find();
    if (found.length > 0) return found;
  }
  return [];
}

/** The name that an ALIAS or CNAME leads to. */
function leadsTo({ type, answers }: RecordRow): string | undefined {
  const known = typeNamed(type);
  const [first] = answers;
  if (!known || !first || (type !== "ALIAS" && type !== "CNAME")) return undefined;
  return apiName(String(rdataToApi(known, rdataFromApi(known, first.answer))[0]));
}
