/** Reads the newest entries of the account, and keeps those that are about a zone: the log cannot be asked for a zone. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type ApiError, call } from "../../../api/client.ts";
import { isObject } from "../../../api/is-object.ts";
import type { ActivityEntry } from "../../../api/types.ts";

const perPage = 250;

export function useActivity(zone: string, wanted: number) {
  const log = useInfiniteQuery<ActivityEntry[], ApiError, { pages: ActivityEntry[][] }, string[], string | undefined>({
    queryKey: ["GET /v1/account/activity", "pages"],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: perPage, ...(pageParam === undefined ? {} : { end: pageParam }) };
      const { data } = await call("GET /v1/account/activity", { query, signal });
      return data as ActivityEntry[];
    },
    initialPageParam: undefined,
    getNextPageParam: (last) => (last.length < perPage ? undefined : String(last.at(-1)?.timestamp)),
    placeholderData: keepPreviousData,
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = log;
  const count = data?.pages.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && count < wanted) void fetchNextPage();
  }, [hasNextPage, isFetching, error, count, wanted, fetchNextPage]);
  // pages overlap in the second at their end
  const all = useMemo(
    () => [...new Map((data?.pages ?? []).flat().map((entry) => [entry.id, entry])).values()],
    [data],
  );
  const entries = useMemo(() => all.filter((entry) => isAbout(entry, zone)), [all, zone]);
  const retry = () => void refetch();
  return { entries, read: all.length, hasMore: hasNextPage, isLoading: isFetching, error, retry };
}

function isAbout({ resource }: ActivityEntry, zone: string): boolean {
  const { zone: own, zones } = Object(resource) as { readonly zone?: unknown; readonly zones?: unknown };
  if (own === zone) return true;
  return Array.isArray(zones) && zones.some((one) => isObject(one) && one["zone"] === zone);
}
