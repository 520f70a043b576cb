/** The changes of a period, as marks on the time axis. */
import { useMemo } from "react";
import type { Mark as Change } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";
import type { Mark } from "../../kit/chart.tsx";
import type { Period } from "../../kit/time-range.tsx";

const starts: Readonly<Record<Period, string>> = { "1h": "-1h", "24h": "-1d", "30d": "-30d", "90d": "-90d" };
/** Marks that are read: more of them would cover one another. */
const mostRead = 500;

export function useMarks(period: Period, refetchInterval: number): readonly Mark[] {
  const { data } = useRead("GET /v1/stats/marks", {
    query: { start: starts[period], limit: mostRead },
    refetchInterval,
  });
  return useMemo(() => (data?.data ?? []).map((change) => ({ at: change.at, text: textOf(change) })), [data]);
}

const textOf = ({ zone, action, user }: Change) => [zone, action, user?.name].filter(Boolean).join(" · ");
