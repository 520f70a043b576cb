/** Reads all records of a zone, page by page. */
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { type ApiError, call, type Reply } from "../../../api/client.ts";
import type { Record as DnsRecord } from "../../../api/types.ts";

type Page = Reply<"GET /v1/zones/{zone}">;

/** Pages that are read without being asked for: more than 20,000 records are read on demand. */
const pagesAtOnce = 8;
const perPage = 2500;

export interface Moment {
  readonly at?: string | undefined;
  readonly version?: number | undefined;
}

export function useRecords(zone: string, moment: Moment) {
  const options = { path: { zone }, query: { expand: true, limit: perPage, ...moment } };
  const pages = useInfiniteQuery<Page, ApiError, { pages: Page[] }, unknown[], string | undefined>({
    queryKey: ["GET /v1/zones/{zone}", options, "pages"],
    queryFn: ({ signal, pageParam }) =>
      call("GET /v1/zones/{zone}", { ...options, query: { ...options.query, after: pageParam }, signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ after }) => after,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage, refetch } = pages;
  const count = data?.pages.length ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !error && count < pagesAtOnce) void fetchNextPage();
  }, [hasNextPage, isFetching, error, count, fetchNextPage]);
  const records = useMemo(
    // full records were asked for
    () => (data?.pages ?? []).flatMap(({ data: { records = [] } }) => records as DnsRecord[]),
    [data],
  );
  return {
    records,
    total: data?.pages[0]?.total,
    isComplete: count > 0 && !hasNextPage && !isPlaceholderData,
    isLoading: isFetching,
    error,
    more: hasNextPage && count >= pagesAtOnce ? () => void fetchNextPage() : undefined,
    retry: () => void refetch(),
  };
}

/** All records of a zone at once, for a file. */
export async function readRecords(zone: string): Promise<DnsRecord[]> {
  const records: DnsRecord[] = [];
  let after: string | undefined;
  do {
    const page: Page = await call("GET /v1/zones/{zone}", {
      path: { zone },
      query: { expand: true, limit: perPage, ...(after === undefined ? {} : { after }) },
    });
    records.push(...((page.data.records ?? []) as DnsRecord[]));
    after = page.after;
  } while (after !== undefined);
  return records;
}
