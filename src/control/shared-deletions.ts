/** Control processes of one store tell each other what they delete, so that the guard counts what all of them did. */
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Store } from "../storage/db.ts";
import type { Listener } from "../storage/listen.ts";
import type { Deletions } from "./guard.ts";

const channel = "fairlead_deletions";
/** Milliseconds in which deletions are told together: whoever deletes does not wait for it. */
const tellEvery = 200;
/** Milliseconds until a store that refuses is tried again: not every engine has notices. */
const restFor = 10_000;
/** Keys that wait to be told. */
const mostUntold = 10_000;
/** Keys in one notice, which has up to 8000 octets. */
const keysAtOnce = 100;

interface Notice {
  /** Who tells. */
  readonly by: string;
  readonly counts: readonly (readonly [key: string, count: number])[];
}

/** Where the store has no notices, each process counts for itself. Returns what ends it. */
export function shareDeletions(store: Store, deletions: Deletions, log: Log): () => Promise<void> {
  const by = newId();
  const untold = new Map<string, number>();
  let listener: Listener | undefined;
  let isClosed = false;
  let restsUntil = 0;
  const count = (key: string, more: number) => {
    if (untold.size < mostUntold || untold.has(key)) untold.set(key, (untold.get(key) ?? 0) + more);
  };
  const hear = (text: string) => {
    const told = noticeIn(text);
    if (told && told.by !== by) for (const [key, count] of told.counts) deletions.hear(key, count);
  };
  const turn = async () => {
    if (!listener || listener.lost) {
      listener?.close();
      listener = await store.listen(channel, hear);
      if (isClosed) listener.close();
    }
    while (untold.size > 0 && !isClosed) {
      const counts = [...untold].slice(0, keysAtOnce);
      for (const [key] of counts) untold.delete(key);
      const notice: Notice = { by, counts };
      await store.tell(channel, JSON.stringify(notice)).catch((error: unknown) => {
        for (const [key, more] of counts) count(key, more);
        throw error;
      });
    }
  };
  deletions.share(count);
  let turning: Promise<void> | undefined;
  const timer = setInterval(() => {
    if (performance.now() < restsUntil) return;
    turning ??= turn()
      .catch((error: unknown) => {
        restsUntil = performance.now() + restFor;
        log.debug({ reason: String(error) }, "deletions are not told to other processes");
      })
      .finally(() => {
        turning = undefined;
      });
  }, tellEvery).unref();
  return async () => {
    isClosed = true;
    clearInterval(timer);
    await turning;
    listener?.close();
  };
}

/** Undefined for what is none: that the connection is lost is told as well. */
function noticeIn(text: string): Notice | undefined {
  try {
    const { by, counts } = JSON.parse(text);
    return typeof by === "string" && Array.isArray(counts) ? { by, counts } : undefined;
  } catch {
    return undefined;
  }
}
