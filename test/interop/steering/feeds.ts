/**
 * Generated feeds and pushes: values of every key, some outdated, some with a fallback; some feeds are never pushed to,
 * one is deleted.
 */
import type { Draw } from "../differential/draw.ts";
import { type MetaName, makes, type Sources } from "./metadata.ts";
import type { ModelFeeds, Table } from "./model/meta.ts";

export interface GeneratedFeed {
  readonly name: string;
  /** Seconds. With `shortAge`, the first pushes are too old when questions are asked. */
  readonly max_age: number | null;
  readonly fallback: Table | null;
  readonly fate: "pushed" | "never pushed" | "deleted";
}

export const shortAge = 1;
const feedCount = 40;

export const feedNames = Array.from({ length: feedCount }, (_, i) => `feed${i}`);

export const generateFeeds = (draw: Draw, sources: Sources): GeneratedFeed[] =>
  feedNames.map((name, i) => ({
    name,
    max_age: i % 5 === 0 ? shortAge : draw.pick([null, null, 3600]),
    fallback: draw.chance(0.4) ? tableOf(draw, sources, 0.6) : null,
    fate: i === 7 ? "deleted" : i % 11 === 3 ? "never pushed" : "pushed",
  }));

/** One push for each feed that gets any. */
export const generatePush = (draw: Draw, sources: Sources, feeds: readonly GeneratedFeed[]): Map<string, Table> =>
  new Map(feeds.filter(({ fate }) => fate === "pushed").map(({ name }) => [name, tableOf(draw, sources, 0.75)]));

/** The values of feeds when all pushes are older than `shortAge`. */
export const feedsAfter = (feeds: readonly GeneratedFeed[], pushed: ReadonlyMap<string, Table>): ModelFeeds =>
  new Map(
    feeds
      .filter(({ fate }) => fate !== "deleted")
      .map(({ name, max_age, fallback }) => [
        name,
        { data: pushed.get(name), isStale: max_age === shortAge, fallback: fallback ?? undefined },
      ]),
  );

/** Draws values for some keys; null unsets a key. */
function tableOf(draw: Draw, sources: Sources, probability: number): Table {
  const keys = (Object.keys(makes) as MetaName[]).filter(() => draw.chance(probability));
  return Object.fromEntries(
    keys.map((key) => {
      const spelling = key === "loadavg" && draw.chance(0.5) ? "loadAvg" : key;
      return [spelling, draw.chance(0.05) ? null : makes[key](draw, sources)];
    }),
  );
}
