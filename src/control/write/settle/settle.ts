/** Waits until a committed change has its serials and every edge answers it, so that the reply says what is still outstanding. */
import { setTimeout as delay } from "node:timers/promises";
import type { Settled } from "../../../http/route/service.ts";
import type { Db } from "../../kit/store.ts";
import { findProgress } from "./store.ts";

const shortestPause = 2;
const longestPause = 20;

/** Without edges nothing is waited for. `within` is in milliseconds. */
export async function settle(db: Db, account_id: string, id: string, within: number): Promise<Settled> {
  const deadline = performance.now() + within;
  for (let pause = shortestPause; ; pause = Math.min(longestPause, pause * 2)) {
    const progress = await findProgress(db, account_id, id);
    if (!progress || progress.edges === 0) return { serials: {}, outstanding: undefined };
    const { revision, serials, edges, behind, away } = progress;
    const isDone = revision !== null && behind === 0;
    if (!isDone && performance.now() + pause < deadline) {
      await delay(pause);
      continue;
    }
    return { serials: serials ?? {}, outstanding: outstandingOf(revision, edges, behind + away) };
  }
}

function outstandingOf(revision: number | null, edges: number, missing: number): string | undefined {
  if (revision === null) return "the change has no serial yet, and no edge answers it";
  if (missing === 0) return undefined;
  return `${missing} of ${edges} edges ${missing === 1 ? "does" : "do"} not answer the change yet`;
}
