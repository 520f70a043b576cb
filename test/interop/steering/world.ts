/** Everything for a run, made from a seed: geo files, feeds with two rounds of pushes, and records. */
import type { Draw } from "../differential/draw.ts";
import { feedNames, feedsAfter, type GeneratedFeed, generateFeeds, generatePush, shortAge } from "./feeds.ts";
import { generateGeoFiles, type WrittenFile } from "./geo-files.ts";
import type { Sources } from "./metadata.ts";
import type { Block } from "./model/address.ts";
import type { World } from "./model/answer.ts";
import { GeoModel } from "./model/geo.ts";
import type { ModelRecord, Table } from "./model/meta.ts";
import { generateRecords } from "./records.ts";

export interface GeneratedWorld {
  readonly files: readonly WrittenFile[];
  /** Blocks in the geo files. */
  readonly blocks: readonly Block[];
  readonly feeds: readonly GeneratedFeed[];
  readonly records: readonly ModelRecord[];
  /** Two pushes by feed, and the expected values once the first ones are older than `shortAge`. */
  readonly rounds: readonly [Round, Round];
}

export interface Round {
  readonly push: ReadonlyMap<string, Table>;
  readonly world: World;
}

export function generateWorld(draw: Draw, recordCount: number): GeneratedWorld {
  const files = generateGeoFiles(draw);
  const blocks = files.flatMap(({ file }) => file.entries.map(({ block }) => block));
  const sources: Sources = { blocks, feeds: feedNames };
  const feeds = generateFeeds(draw, sources);
  const records = generateRecords(draw, sources, recordCount);
  const geo = new GeoModel(files.map(({ file }) => file));
  const byName = new Map(records.map((record) => [`${record.domain} ${record.type}`, record]));
  const worldAfter = (pushed: ReadonlyMap<string, Table>): World => ({
    records: byName,
    geo,
    feeds: feedsAfter(feeds, pushed),
  });
  const first = generatePush(draw, sources, feeds);
  // a short max_age would end at an unknown moment after the second push
  const lasting = feeds.filter(({ max_age }) => max_age !== shortAge);
  const second = generatePush(draw, sources, lasting);
  const rounds: GeneratedWorld["rounds"] = [
    { push: first, world: worldAfter(first) },
    { push: second, world: worldAfter(new Map([...first, ...second])) },
  ];
  return { files, blocks, feeds, records, rounds };
}
