/** Reads and writes of components. A read is known by its operation and its options, so a write names what it makes old. */
import {
  keepPreviousData,
  type Query,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useMemo } from "react";
import { type ApiError, type Call, call, type Operation, type Reply } from "../api/client.ts";

type Options<O extends Operation> = Call<O> & {
  /** Reads only while this is not false. */
  readonly enabled?: boolean;
  /** Milliseconds after which it is read again; a function gets the number of reads and the last one. False: never. */
  readonly refetchInterval?: number | false | ((reads: number, last: Reply<O> | undefined) => number | false);
};

/** Reads; while other options are read, the data of those before stay. */
export function useRead<O extends Operation>(operation: O, options: Options<O> = {}) {
  const { enabled, refetchInterval, ...given } = options;
  return useQuery<Reply<O>, ApiError>({
    queryKey: [operation, given],
    queryFn: ({ signal }) => call(operation, { ...given, signal }),
    placeholderData: keepPreviousData,
    ...(enabled === undefined ? {} : { enabled }),
    ...(refetchInterval === undefined ? {} : { refetchInterval: intervalOf<O>(refetchInterval) }),
  });
}

const intervalOf = <O extends Operation>(given: NonNullable<Options<O>["refetchInterval"]>) =>
  typeof given === "function"
    ? ({ state: { dataUpdateCount, data } }: Query<Reply<O>, ApiError>) => given(dataUpdateCount, data)
    : given;

/**
 * Writes; afterwards the reads whose operations begin with one of `outdates` are read again. A text that ends with `$`
 * means that operation alone: a thing that was deleted is not read again.
 */
export function useWrite<O extends Operation>(operation: O, outdates: readonly string[]) {
  const client = useQueryClient();
  return useMutation<Reply<O>, ApiError, Call<O>>({
    mutationFn: (options) => call(operation, options),
    onSuccess: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [known] }) => outdates.some((prefix) => `${String(known)}$`.startsWith(prefix)),
      }),
  });
}

export interface ReadAll<Row> {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
  readonly isLoading: boolean;
  /** Whether the first page was read. */
  readonly isRead: boolean;
  readonly error: ApiError | null;
  /** Reads the next page; undefined when there is none. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

/** Reads a list page by page. */
export function useReadAll<O extends Operation>(
  operation: O,
  options: Options<O> = {},
): ReadAll<Reply<O>["data"] extends readonly (infer Row)[] ? Row : never> {
  const { enabled, refetchInterval: _, ...given } = options;
  const pages = useInfiniteQuery({
    queryKey: [operation, given, "pages"],
    queryFn: ({ signal, pageParam }) =>
      call(operation, { ...given, query: { ...given.query, after: pageParam } as never, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ after }: Reply<O>) => after,
    placeholderData: keepPreviousData,
    ...(enabled === undefined ? {} : { enabled }),
  });
  const { data, error, isFetching, hasNextPage, fetchNextPage, refetch } = pages;
  const rows = useMemo(() => (data?.pages ?? []).flatMap((one) => one.data as never[]), [data]);
  return {
    rows: rows as never,
    total: data?.pages[0]?.total,
    isLoading: isFetching,
    isRead: data !== undefined,
    error: error as ApiError | null,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    retry: () => void refetch(),
  };
}
