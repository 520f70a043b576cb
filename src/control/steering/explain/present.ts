/** Shows an answer of the engine in the form of explain. */

import type { TracedAnswer, TracedFilter, TracedValue } from "../../../answer/chain/trace-chain.ts";
import type { Asked } from "../../../answer/reply/question.ts";
import type { LookupTrace, TraceStep } from "../../../answer/reply/trace.ts";
import { printRdata } from "../../../dns/rdata/codec.ts";
import { printRecord, type ResourceRecord } from "../../../dns/reply.ts";
import { Rcode } from "../../../dns/wire/constants.ts";
import { Flag } from "../../../dns/wire/message.ts";
import { ancestorsOf, nameToApi } from "../../../dns/wire/name.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ReadCtx } from "../../write/context.ts";
import type { Excerpt } from "../excerpt/excerpt.ts";
import type { Step, Value } from "./schema.ts";
import { isVisible } from "./visible.ts";

const rcodes = new Map<number, string>(Object.entries(Rcode).map(([name, code]) => [code, name]));

type IsShown = (record: ResourceRecord) => boolean;

/** The sections of the reply, without the records that the caller may not see. */
export const sections = ({ reply, octets }: Asked, isShown: IsShown) => ({
  rcode: rcodes.get(reply.rcode) ?? `RCODE${reply.rcode}`,
  flags: [...(reply.flags & Flag.AA ? ["aa"] : []), ...(reply.flags & Flag.TC ? ["tc"] : [])],
  answer: reply.answer.filter(isShown).map(printRecord),
  authority: reply.authority.filter(isShown).map(printRecord),
  additional: reply.additional.filter(isShown).map(printRecord),
  octets,
});

/** The RDATA of the answer section in order, by which answers are distinguished. */
export const rdataOf = ({ reply }: Asked, isShown: IsShown = () => true): string[] =>
  reply.answer.filter(isShown).map(({ type, rdata }) => printRdata(type, rdata));

/** Shows each lookup with the chain of the record that it found. */
export function stepsOf(
  ctx: ReadCtx,
  excerpt: Excerpt,
  steps: readonly TraceStep[],
  type: string,
  now: number,
): Step[] {
  const shown: Step[] = [];
  for (const step of steps) {
    if (step.kind === "lookup") {
      const name = nameToApi(step.name);
      const { state, wildcard } = step;
      const zone = excerpt.zoneOf(name);
      const seen = zone?.account_id === ctx.account_id ? zone.zone : null;
      const unsteered = { link: null, record: null, hidden: false, answers: [], filters: [] };
      const last: Step = { name, zone: seen, state, wildcard, ...unsteered };
      shown.push(seen === null ? last : { ...last, ...linkOf(ctx, excerpt, last, step, type) });
      continue;
    }
    const last = shown.at(-1);
    if (!last) continue;
    const row = answeringOf(excerpt, last, type);
    if (row && isVisible(ctx, excerpt, row) && !last.hidden) {
      last.record = `${row.domain} ${row.type}`;
      last.answers = row.answers.map(({ id, answer, region }) => ({ id, answer, region: region ?? null }));
      last.filters = step.filters.map((filter) => filterOf(excerpt, filter, now));
    } else last.hidden = true;
  }
  return shown;
}

/**
 * Whether the record that was found is hidden; shows the target of a linked record or zone if the caller may see the link.
 * The target itself may still be hidden.
 */
function linkOf(
  ctx: ReadCtx,
  excerpt: Excerpt,
  step: Step,
  { link }: LookupTrace,
  type: string,
): Pick<Step, "link" | "hidden"> {
  const stored = excerpt.storedAt(step.name)?.name ?? step.name;
  const row = recordOf(excerpt, step, type);
  const isLinked = link !== undefined || stored !== step.name;
  if (!isLinked) return { link: null, hidden: row !== undefined && !isVisible(ctx, excerpt, row) };
  if (row && !isVisible(ctx, excerpt, row)) return { link: link ? null : stored, hidden: true };
  const target = row && excerpt.target(row);
  return { link: link ? nameToApi(link) : stored, hidden: target ? !isVisible(ctx, excerpt, target) : false };
}

/** The record whose answers a lookup found: for a linked record, its target. */
function answeringOf(excerpt: Excerpt, step: Step, type: string): RecordRow | undefined {
  const row = recordOf(excerpt, step, type);
  return row && row.link !== null ? excerpt.target(row) : row;
}

/** States in which a record answers or leads to another name. */
const found: readonly string[] = ["answer", "cname", "dname", "alias"];

/** The records that made the answer, each once, without those that the caller may not see. */
export function recordsOf(ctx: ReadCtx, excerpt: Excerpt, steps: readonly Step[], type: string): RecordRow[] {
  const rows = steps.flatMap((step) => {
    const row = recordOf(excerpt, step, type);
    if (row?.link) return [row, excerpt.target(row) ?? []].flat();
    return row && found.includes(step.state) ? row : [];
  });
  return [...new Set(rows)].filter((row) => isVisible(ctx, excerpt, row));
}

/** The record that a lookup found, at its name or at the wildcard that matched. */
function recordOf(excerpt: Excerpt, { name, state, wildcard }: Step, asked: string): RecordRow | undefined {
  const type = state === "cname" ? "CNAME" : state === "dname" ? "DNAME" : state === "alias" ? "ALIAS" : asked;
  const owners = wildcard
    ? ancestorsOf(name).map((above) => `*.${above}`)
    : state === "dname"
      ? ancestorsOf(name)
      : [name];
  for (const owner of owners) {
    const row = excerpt.record(owner, type);
    if (row) return row;
  }
  return undefined;
}

const filterOf = (excerpt: Excerpt, traced: TracedFilter, now: number): Step["filters"][number] => {
  const { filter, config, acts, before, after, left, all_down, guarded, values, facts } = traced;
  return {
    filter,
    config: config ?? null,
    acts,
    before: before.map(indexOf),
    after: after.map(indexOf),
    left: left.map(({ reason, ...answer }) => ({ answer: indexOf(answer), reason })),
    all_down: all_down ?? null,
    guarded,
    values: values.map((value) => shownValue(excerpt, value, now)),
    facts: facts.map(({ fact, value, bits }) => ({ fact, value: value ?? null, bits })),
  };
};

/** The elements that are shown of a list. */
export const mostElements = 100;

function shownValue({ feedValues }: Excerpt, { answer, key, value, source, feed }: TracedValue, now: number): Value {
  const isLong = Array.isArray(value) && value.length > mostElements;
  const { origin, pushed_at } =
    feed === undefined
      ? { origin: source ? ("stored" as const) : null, pushed_at: null }
      : feedValues.originOf(feed, key);
  return {
    answer,
    key,
    value: (isLong ? value.slice(0, mostElements) : value) ?? null,
    elements: isLong ? value.length : null,
    source: source ?? null,
    feed: feed ?? null,
    origin,
    age: pushed_at === null ? null : (now - pushed_at) / 1000,
  };
}

const indexOf = ({ answer, address }: TracedAnswer) =>
  address === undefined ? answer : [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
