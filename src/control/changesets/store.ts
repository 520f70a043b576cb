/** SQL for the progress of change sets at edges. */
import type { Db } from "../kit/store.ts";

/** Edges that follow the changes, with the last revision that each has reported. */
export const listEdges = (db: Db) => db.selectFrom("follower").selectAll().orderBy("id").execute();
