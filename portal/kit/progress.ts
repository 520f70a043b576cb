/** How far a change has come: asked about with growing pauses, until every edge answers with it. */
import { useRead } from "./api.ts";

/** Milliseconds of the first pause, and of the longest. */
const [first, longest] = [250, 8000];

export const useProgress = (change: string | undefined) =>
  useRead("GET /v1/changesets/{id}", {
    path: { id: change ?? "" },
    enabled: change !== undefined,
    refetchInterval: (reads, last) => !last?.data.live && Math.min(longest, first * 2 ** Math.max(0, reads - 1)),
  });
