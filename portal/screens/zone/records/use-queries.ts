/** The queries for each record of a zone in the last quarter. */
import { useMemo } from "react";
import { useRead } from "../../../kit/api.ts";
import { mostListed, type Usage } from "../../analytics/usage.ts";
import { rowId } from "./row-id.ts";

/** By the id of the row. */
export type Queries = ReadonlyMap<string, Usage["graph"]>;

const look = { period: "90d", expand: true } as const;

/** Undefined until they are read, and for a zone with very many records; `records` is undefined until it is known. */
export function useQueries(zone: string, records: number | undefined): Queries | undefined {
  const isWanted = records !== undefined && records <= mostListed;
  const { data } = useRead("GET /v1/stats/usage/{zone}", { path: { zone }, query: look, enabled: isWanted });
  return useMemo(() => {
    if (!isWanted || !data) return undefined;
    return new Map(data.data.map(({ domain = "", rectype = "", graph }) => [rowId({ domain, type: rectype }), graph]));
  }, [isWanted, data]);
}
