/** The catalogues of the API, from which forms are built. They change only with the service's version. */
import type { Reply } from "../api/client.ts";
import { useRead } from "./api.ts";

export type RecordTypes = Reply<"GET /v1/recordtypes">["data"];
export type RecordType = RecordTypes[string];
export type FilterTypes = Reply<"GET /v1/filtertypes">["data"];
export type MetaTypes = Reply<"GET /v1/metatypes">["data"];
export type MetaType = MetaTypes[string];

export const useRecordTypes = (): RecordTypes => useRead("GET /v1/recordtypes").data?.data ?? {};
export const useFilterTypes = (): FilterTypes => useRead("GET /v1/filtertypes").data?.data ?? {};
export const useMetaTypes = (): MetaTypes => useRead("GET /v1/metatypes").data?.data ?? {};

/** A feed with its source, as lists of feeds show it. */
export interface KnownFeed {
  readonly id: string;
  readonly name: string;
  readonly source: string;
  readonly data: { readonly [key: string]: unknown };
  readonly pushed_at: number | null;
}

/** The feeds of all sources. */
export function useFeeds(): readonly KnownFeed[] {
  const sources = useRead("GET /v1/data/sources").data?.data ?? [];
  return sources.flatMap((source) =>
    source.feeds.map(({ id, name, data, pushed_at }) => ({ id, name, data, pushed_at, source: source.name })),
  );
}
