/** Usage as the API shows it: totals and graphs of groups of rows. */
import { Type } from "typebox";
import type { CountedRow, Span } from "./store.ts";

const minute = 60;
const hour = 3600;
const day = 86_400;

/** The steps of a period's graph, and the span of the rows that it is made of. */
const periods = {
  "1h": { span: minute, step: 30 * minute, steps: 2 },
  "24h": { span: hour, step: hour, steps: 24 },
  "30d": { span: hour, step: day, steps: 30 },
  "90d": { span: day, step: day, steps: 90 },
} as const;

export type Period = keyof typeof periods;
const periodNames = Object.keys(periods);

/** The parameters of a period and of the length of a list, and what replies say of the period. */
export const periodQuery = Type.Optional(
  Type.Unsafe<Period>({ type: "string", enum: periodNames, description: "24h by default." }),
);
export const limitQuery = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: "10 by default." }));
export const periodReply = {
  period: Type.String(),
  since: Type.Integer({ description: "The beginning of the period in Unix seconds." }),
};

/** Returns the span of the period up to now; its last step is not complete yet. */
export function spanOf(period: Period, now: number): Span & { readonly until: number } {
  const { span, step, steps } = periods[period];
  const until = now - (now % step);
  return { span, step, since: until - (steps - 1) * step, until };
}

export const Usage = Type.Object({
  jobs: Type.Optional(Type.Integer({ description: "The account's monitoring jobs." })),
  zones: Type.Optional(Type.Integer({ description: "The account's zones." })),
  records: Type.Optional(Type.Integer({ description: "The records of the account or the zone." })),
  feeds: Type.Optional(Type.Integer({ description: "The account's feeds." })),
  zone: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String()),
  rectype: Type.Optional(Type.String()),
  tier: Type.Optional(Type.Integer({ description: "With `by_tier`." })),
  period: Type.String(),
  queries: Type.Integer(),
  graph: Type.Array(Type.Array(Type.Integer()), {
    description: "The start of each step in Unix seconds, and its queries; empty if there were none.",
  }),
});

/** Rows that one element of the reply adds up. */
export interface Group {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
  readonly tier: number;
  readonly rows: readonly CountedRow[];
}

/** Groups rows with the same values of `keys`, in the order of the rows. */
export function groupBy(rows: readonly CountedRow[], keys: readonly ("zone" | "domain" | "type" | "tier")[]): Group[] {
  const groups = new Map<string, Group & { rows: CountedRow[] }>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]));
    const { zone, domain, type, tier } = row;
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { zone, domain, type, tier, rows: [row] });
  }
  return [...groups.values()];
}

/** Never below 0: a zone's queries for names without a record may be negative, since the records' queries are sampled. */
export function counted(
  rows: readonly Pick<CountedRow, "at" | "queries">[],
  { since, step, until }: ReturnType<typeof spanOf>,
) {
  const steps = new Map<number, number>();
  for (const { at, queries } of rows) steps.set(at, (steps.get(at) ?? 0) + queries);
  const graph: number[][] = [];
  if (steps.size > 0) for (let at = since; at <= until; at += step) graph.push([at, Math.max(0, steps.get(at) ?? 0)]);
  const queries = rows.reduce((sum, { queries }) => sum + queries, 0);
  return { queries: Math.max(0, queries), graph };
}
