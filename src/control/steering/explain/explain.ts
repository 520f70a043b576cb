/** Explains an answer, in the thread of simulations: everything that decided it. */

import { countries } from "../../../answer/model/places.ts";
import type { Question } from "../../../answer/reply/question.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { atlas } from "../../../geo/facts/atlas.ts";
import { invalidField, missing } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import { assertReachesName } from "../../access/caller.ts";
import { lockFeeds } from "../../feeds/model/destination-store.ts";
import type { ReadCtx } from "../../write/context.ts";
import { findZonesAbove } from "../../zones/model/record/link-store.ts";
import { readType } from "../../zones/model/record/rules.ts";
import { Excerpt } from "../excerpt/excerpt.ts";
import type { AssumedTable } from "../excerpt/feed-values.ts";
import { type LaidRecord, Overlay } from "../excerpt/overlay.ts";
import { type Warning, warningsOf } from "../lint/lint.ts";
import { Targets } from "../lint/rules/parts/targets.ts";
import { type Asker, type Location, locatedAs, locatedAt } from "./client.ts";
import { Draws } from "./draws.ts";
import { recordsOf, sections, stepsOf } from "./present.ts";
import type { Counted, Explanation } from "./schema.ts";
import { shownTo } from "./visible.ts";
import type { Work } from "./work.ts";

/** A request to explain, as plain data. */
export interface ExplainOrder {
  readonly name: string;
  /** The name of the type. */
  readonly type: string;
  readonly asker: Asker;
  /** The place of the client, instead of the one that geo files have. */
  readonly location: Location | null;
  /** The time at which the ages of feeds are measured, in Unix milliseconds. */
  readonly time: number;
  readonly seed: number;
  readonly draws: number | undefined;
  readonly matrix: boolean;
  readonly draft: readonly LaidRecord[];
  /** Assumed values by feed id. */
  readonly assumed: ReadonlyMap<string, AssumedTable>;
}

export async function explain(ctx: ReadCtx, order: ExplainOrder, work: Work): Promise<Explanation> {
  const { name, type, asker, location, time, seed, draws, matrix, assumed } = order;
  await assertOwnName(ctx, name, type);
  await assertOwnFeeds(ctx, assumed);
  const { sender, subnet } = asker;
  const question: Question = { name: nameFromApi(name), type: readType(type).code, sender, subnet };
  const draft = new Overlay(order.draft);
  const locate = location ? locatedAt(location) : locatedAs(asker);
  const excerpt = new Excerpt(ctx, { locate, atlas, now: time, draft, assumed, run: (step) => work.run(step) });
  const asked = await excerpt.ask(question, seed);
  const isShown = shownTo(ctx, excerpt);
  const drawn = new Draws(excerpt, isShown, work);
  const steps = stepsOf(ctx, excerpt, asked.steps, type, time);
  const { subnetText, address, canLocate } = asker;
  return {
    name,
    type,
    ...sections(asked, isShown),
    ecs: subnetText === null ? null : { subnet: subnetText, scope: asked.scope },
    client: { address, subnet: subnetText, location, has_geo_files: canLocate },
    steps,
    warnings: await warningsAbout(ctx, excerpt, recordsOf(ctx, excerpt, steps, type), draft),
    ...(draws === undefined ? {} : { draws: await drawn.count(question, draws) }),
    ...(matrix ? { matrix: await matrixOf(excerpt, drawn, question, draws ?? 1) } : {}),
  };
}

/** Throws unless the name is in a zone that the caller may see. A zone of another account is like none, in time as well. */
async function assertOwnName({ db, account_id, caller }: ReadCtx, domain: string, type: string): Promise<void> {
  const zoneOf = await findZonesAbove(db, account_id, [domain]);
  const zone = zoneOf(domain)?.zone;
  assertReachesName(caller, "dns.view_zones", { zone, domain, type });
  if (zone === undefined) throw missing("zone not found", { name: domain });
}

/** Throws for an assumed value of a feed that the account does not have. */
async function assertOwnFeeds({ db, account_id }: ReadCtx, assumed: ExplainOrder["assumed"]): Promise<void> {
  if (assumed.size === 0) return;
  const own = new Set((await lockFeeds(db, account_id, [...assumed.keys()])).map(({ id }) => id));
  for (const feed of assumed.keys()) {
    if (!own.has(feed)) throw invalidField(`feeds.${feed}`, `there is no feed "${feed}"`, { feed });
  }
}

async function warningsAbout(
  ctx: ReadCtx,
  excerpt: Excerpt,
  records: readonly RecordRow[],
  draft: Overlay,
): Promise<Warning[]> {
  const targets = new Targets(ctx, draft);
  await targets.find(records);
  return records.flatMap((row) => {
    const zone = excerpt.zoneOf(row.domain);
    return zone ? warningsOf(zone, row, targets.missing) : [];
  });
}

/** Asks for the same client in every country, without a place inside the country. */
async function matrixOf(excerpt: Excerpt, drawn: Draws, question: Question, draws: number) {
  const matrix: Record<string, Counted[]> = {};
  for (const country of countries()) {
    excerpt.locate = locatedAt({ country });
    await excerpt.ask(question, 1);
    matrix[country] = await drawn.count(question, draws);
  }
  return matrix;
}
