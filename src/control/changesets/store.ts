/** SQL of where change sets have arrived. */
import type { Db } from "../kit/store.ts";

/** Edges that follow the changes, with the last revision that each reported. */
export const listEdges = (db: Db) => db.selectFrom("follower").selectAll().orderBy("id").execute();
