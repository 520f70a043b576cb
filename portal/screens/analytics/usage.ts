/** The queries of a period, as the API counts them. */
import type { Reply } from "../../api/client.ts";
import type { Line } from "../../kit/chart.tsx";

export type Usage = Reply<"GET /v1/stats/usage">["data"][number];

/** The pairs of a graph: a time in Unix seconds and a number of queries. */
export const pointsOf = ({ graph }: Pick<Usage, "graph">): Line["points"] =>
  graph.map(([at = 0, queries = 0]) => [at, queries] as const);

export const mostFirst = (one: Usage, other: Usage) => other.queries - one.queries;

const whole = new Intl.NumberFormat();
export const countText = (queries: number): string => whole.format(queries);

const fine = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
export const rateText = (rate: number): string => fine.format(rate);

/** Zones of an account, and records of a zone, that are read with their course. */
export const mostListed = 1000;

/** The usage of something of which only the number of queries is known. */
export const blankUsage = (period: string): Usage => ({ period, queries: 0, graph: [] });
