/** SQL of the wait for edges: how far a change has come. */
import { acrossAccounts } from "../../../storage/fence/exceptions.ts";
import { type Db, rowsOf, statement } from "../../kit/store.ts";

export interface Progress {
  readonly revision: number | null;
  readonly serials: Readonly<Record<string, number>> | null;
  readonly edges: number;
  /** Edges that have not applied the change, without those that are away. */
  readonly behind: number;
  /** Edges that have not applied another change for a minute: nobody waits for them. */
  readonly away: number;
}

export const findProgress = async (db: Db, account_id: string, id: string): Promise<Progress | undefined> =>
  (await rowsOf(db, statement<Progress>(progress, [account_id, id])))[0];

/** The first change that an edge has not applied follows the edge's revision. */
const progress = `${acrossAccounts("order")}
  select own.revision, own.serials, edge.edges, edge.behind, edge.away
  from change as own cross join lateral (
    select count(*) as edges,
      count(*) filter (where is_behind and not is_away) as behind, count(*) filter (where is_behind and is_away) as away
    from (
      select own.revision is null or follower.revision < own.revision as is_behind,
        exists (
          select from change as missed
          where missed.revision = follower.revision + 1 and missed.created < own.created - 60) as is_away
      from follower) as each
  ) as edge
  where own.account_id = $1 and own.id = $2`;
