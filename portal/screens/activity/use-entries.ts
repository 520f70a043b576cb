/** The newest entries of the log that match; more of them on demand. */
import { useState } from "react";
import type { Operations } from "../../api/types.ts";
import { useRead } from "../../kit/api.ts";

type Query = Operations["GET /v1/account/activity"]["query"];

const first = 100;
/** The most entries that the API lists. */
export const most = 5000;

export function useEntries(query: Query) {
  const [limit, setLimit] = useState(first);
  const { data, error, isFetching, refetch } = useRead("GET /v1/account/activity", { query: { ...query, limit } });
  const entries = Array.isArray(data?.data) ? data.data : [];
  const isMore = entries.length >= limit && limit < most;
  return {
    entries,
    error,
    isLoading: isFetching,
    more: isMore ? () => setLimit(Math.min(most, limit * 2)) : undefined,
    retry: () => void refetch(),
  };
}
