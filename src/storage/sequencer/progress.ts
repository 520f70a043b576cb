/** How far the changes have come: those without a number, and the edges that do not have all of them. */
import { CompiledQuery, type Kysely } from "kysely";
import { unavailable } from "../../lib/problem.ts";
import { acrossAccounts } from "../fence/exceptions.ts";
import type { Tables } from "../tables/index.ts";

export interface StreamProgress {
  /** Committed changes without a number, which no edge can have. */
  readonly unnumbered: number;
  /** Seconds for which the oldest of them has waited; 0 without such changes. */
  readonly waited: number;
  readonly edges: number;
  /** Edges that lack a change that was written more than five seconds ago. */
  readonly edges_behind: number;
}

/** Seconds that are more than enough for a change to get its number and to reach every edge. */
const soon = 5;

const progressText = `${acrossAccounts("order")}
  with waiting as (
    select count(*) as unnumbered,
      coalesce(extract(epoch from clock_timestamp())::bigint - min(created), 0) as waited
    from change where revision is null),
  edge as (
    select exists (
      select from change as missed
      where missed.revision = follower.revision + 1
        and missed.created < extract(epoch from clock_timestamp())::bigint - ${soon}) as is_behind
    from follower)
  select unnumbered, greatest(waited, 0) as waited,
    (select count(*) from edge) as edges, (select count(*) from edge where is_behind) as edges_behind
  from waiting`;

export async function streamProgress(db: Kysely<Tables>): Promise<StreamProgress> {
  const { rows } = await db.executeQuery<StreamProgress>(CompiledQuery.raw(progressText));
  return rows[0]!;
}

/** Throws a Problem if changes have waited for their numbers for too long: they are stored, and not answered. */
export function assertNumbered(progress: StreamProgress): StreamProgress {
  const { unnumbered, waited } = progress;
  if (waited <= soon) return progress;
  throw unavailable(`${unnumbered} changes are not answered yet: the oldest has waited ${waited} s for its number`);
}
