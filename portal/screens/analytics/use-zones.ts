/** The zones with their queries: all of a usual account with their course, the busiest of a very large one without. */
import { useMemo } from "react";
import { useRead } from "../../kit/api.ts";
import type { Period } from "../../kit/time-range.tsx";
import { blankUsage, mostListed, type Usage } from "./usage.ts";

/**
 * `total` is the usage of the account, from which the number of its zones is known. Until the rows are known, the list is
 * loading, also while it waits for `total`.
 */
export function useZones(period: Period, total: Usage | undefined, refetchInterval: number) {
  const isLarge = (total?.zones ?? 0) > mostListed;
  const all = useRead("GET /v1/stats/usage", {
    query: { period, expand: true },
    enabled: total !== undefined && !isLarge,
    refetchInterval,
  });
  const top = useRead("GET /v1/stats/top", { query: { period, limit: mostListed }, enabled: isLarge, refetchInterval });
  const { error, refetch } = isLarge ? top : all;
  const rows = useMemo(
    () => (isLarge ? (top.data?.data.zones ?? []).map((one) => ({ ...blankUsage(period), ...one })) : all.data?.data),
    [isLarge, period, top.data, all.data],
  );
  return { rows: rows ?? [], isLoading: rows === undefined && error === null, error, refetch };
}

/** The records of a zone with their queries. */
export function useRecords(period: Period, { zone = "", records = 0 }: Usage) {
  const isLarge = records > mostListed;
  const path = { zone };
  const all = useRead("GET /v1/stats/usage/{zone}", { path, query: { period, expand: true }, enabled: !isLarge });
  const top = useRead("GET /v1/stats/top/{zone}", { path, query: { period, limit: mostListed }, enabled: isLarge });
  const { error, refetch } = isLarge ? top : all;
  const found: readonly Usage[] | undefined = isLarge
    ? top.data?.data.records.map((one) => ({ ...blankUsage(period), ...one }))
    : all.data?.data;
  return { records: found, error, refetch };
}
