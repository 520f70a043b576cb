/** The effect of a change set: its differences, lint warnings, and the clients that get other answers. */
import { isSteered } from "../../answer/model/steering-settings.ts";
import { LongWork } from "../../lib/fair/yield.ts";
import type { RecordRow } from "../../storage/tables/records.ts";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { type Warning, warningsOf } from "../steering/lint/lint.ts";
import { Covers } from "../steering/lint/rules/parts/covers.ts";
import { Targets } from "../steering/lint/rules/parts/targets.ts";
import type { Ctx } from "../write/context.ts";
import type { Difference } from "../write/history.ts";
import { type Differences, isSameRecord, rowDifferences, type Touched } from "../zones/history/past.ts";
import { zoneOnly } from "../zones/model/zone/present.ts";
import { findZoneById } from "../zones/model/zone/store.ts";
import type { WrittenZone } from "../zones/versions/logged.ts";
import { differenceReply } from "../zones/versions/present.ts";
import { changedAnswers } from "./changed-answers.ts";
import type { ChangedAnswer, ChangeSetReply, Effect } from "./schema.ts";
import type { FormerZones } from "./write.ts";

type Change = ChangeSetReply["zones"][number]["change"];

/** The effect on one zone. */
export interface ZoneEffect {
  readonly row: ZoneRow;
  /** The zone before the change, if its settings were written. */
  readonly former: ZoneRow | undefined;
  readonly change: Change;
  readonly differences: Differences;
}

/** Returns the effects of the context's changes so far, in the order of zone names. */
export async function effectsOf(ctx: Ctx, { removed, changed }: FormerZones): Promise<ZoneEffect[]> {
  const effects: ZoneEffect[] = [];
  for (const [zone_id, differences] of ctx.changes.differences) {
    const row = removed.get(zone_id) ?? (await findZoneById(ctx.db, ctx.account_id, zone_id));
    if (!row || differences.length === 0) continue;
    const entries = differences.map((one) => ({ before: one.removed, after: one.added }));
    const change = changeOf(differences);
    effects.push({ row, former: changed.get(zone_id), change, differences: rowDifferences(row, entries) });
  }
  return effects.sort((a, b) => (a.row.zone < b.row.zone ? -1 : 1));
}

function changeOf(differences: readonly Difference[]): Change {
  const settings = differences.find(({ removed, added }) => (removed ?? added)?.kind === "zone");
  if (!settings) return "records";
  return settings.removed && settings.added ? "updated" : settings.added ? "created" : "deleted";
}

export const summaryOf = ({ row, change, differences }: ZoneEffect) => {
  const changed = [...differences.records.values()].filter(({ before, after }) => !isSameRecord(before, after));
  const put = changed.filter(({ after }) => after).length;
  return { zone: row.zone, change, put, removed: changed.length - put };
};

export const writtenZone = ({ row, former = row, change, differences }: ZoneEffect): WrittenZone => ({
  before: change === "created" ? undefined : former,
  after: change === "deleted" ? undefined : row,
  records: [...differences.records.values()],
});

/** The time limit for lint and answers together in milliseconds, because the transaction holds its locks meanwhile. */
export const longest = 5000;
export const mostLinted = 1000;
/** Characters of all changed answers: answers may be long and differ in each country. */
export const mostAnswerText = 4 * 1024 * 1024;

/** The results found within the limits of time and size. */
interface WithinLimits<T> {
  readonly found: T[];
  readonly complete: boolean;
}

export async function effectReply(ctx: Ctx, effects: readonly ZoneEffect[]): Promise<Effect> {
  const written = effects.flatMap(({ row, differences }) =>
    [...differences.records.values()].map((touched) => ({ zone: row, ...touched })),
  );
  const deadline = performance.now() + longest;
  const lint = await lintOf(ctx, written.slice(0, mostLinted), deadline);
  const steered = written.filter(({ before, after }) => [before, after].some((row) => row && isSteered(row.filters)));
  const answers = await answersWithin(ctx, steered, deadline);
  const zones: Effect["zones"][number][] = [];
  for (const effect of effects) zones.push(await differenceOf(ctx, effect));
  return {
    zones,
    warnings: lint.found,
    cells: answers.found,
    complete: answers.complete && lint.complete && written.length <= mostLinted,
  };
}

async function answersWithin(
  ctx: Ctx,
  steered: readonly Written[],
  deadline: number,
): Promise<WithinLimits<ChangedAnswer>> {
  const found: ChangedAnswer[] = [];
  let room = mostAnswerText;
  for (const { zone, before, after } of steered) {
    for await (const answers of changedAnswers(ctx, zone, before, after)) {
      for (const answer of answers) room -= JSON.stringify(answer).length;
      if (room < 0 || performance.now() > deadline) return { found, complete: false };
      found.push(...answers);
    }
  }
  return { found, complete: true };
}

async function differenceOf(ctx: Ctx, { row, change, differences }: ZoneEffect): Promise<Effect["zones"][number]> {
  const reply = await differenceReply(ctx, "dns.manage_zones", row, differences);
  if (change === "created") return { ...reply, settings: { before: null, after: zoneOnly(ctx, row) } };
  if (change === "deleted") return { ...reply, settings: { before: zoneOnly(ctx, row), after: null } };
  return reply;
}

type Written = Touched & { readonly zone: ZoneRow };

async function lintOf(ctx: Ctx, written: readonly Written[], deadline: number): Promise<WithinLimits<Warning>> {
  const rows = written.flatMap(({ zone, after }): [ZoneRow, RecordRow][] => (after ? [[zone, after]] : []));
  const targets = new Targets(ctx);
  await targets.find(rows.map(([, row]) => row));
  const work = new LongWork();
  const found: Warning[] = [];
  for (const [zone, some] of Map.groupBy(rows, ([zone]) => zone)) {
    const covers = new Covers(ctx, zone);
    await covers.find(some.map(([, row]) => row));
    for (const [, row] of some) {
      await work.giveWay();
      if (performance.now() > deadline) return { found, complete: false };
      found.push(...warningsOf(zone, row, targets.missing, covers.of(row)));
    }
  }
  return { found, complete: true };
}
