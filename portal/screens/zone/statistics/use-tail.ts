/** The queries for a zone while it is watched, the newest first. */
import { useEffect, useRef, useState } from "react";
import { ApiError, call, type Reply } from "../../../api/client.ts";

type Query = Reply<"GET /v1/stats/tail/{zone}">["data"]["queries"][number];

export interface Seen extends Query {
  readonly id: number;
}

/** Milliseconds between two requests. */
const every = 1000;
/** Queries that are kept. */
const most = 500;

export function useTail(zone: string, isWatching: boolean) {
  const [seen, setSeen] = useState<readonly Seen[]>([]);
  const [error, setError] = useState<ApiError | null>(null);
  const after = useRef<number>(undefined);
  useEffect(() => {
    if (!isWatching) return;
    const closing = new AbortController();
    const { signal } = closing;
    let timer: ReturnType<typeof setTimeout>;
    let count = 0;
    const look = async () => {
      try {
        // nobody looks at a page in the background
        if (!document.hidden) {
          const { data } = await call("GET /v1/stats/tail/{zone}", {
            path: { zone },
            query: { after: after.current },
            signal,
          });
          after.current = data.last;
          const added = data.queries.map((query) => ({ ...query, id: data.last * most + count++ })).reverse();
          if (added.length > 0) setSeen((before) => [...added, ...before].slice(0, most));
          setError(null);
        }
      } catch (failure) {
        if (!signal.aborted && failure instanceof ApiError) setError(failure);
      }
      if (!signal.aborted) timer = setTimeout(look, every);
    };
    void look();
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [zone, isWatching]);
  return { seen, error };
}
