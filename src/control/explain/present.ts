/** An answer of the engine as explain shows it. */
import type { Asked } from "../../answer/question.ts";
import type { TraceStep } from "../../answer/trace.ts";
import type { TracedAnswer, TracedFilter } from "../../answer/trace-chain.ts";
import { Rcode } from "../../dns/constants.ts";
import { Flag } from "../../dns/message.ts";
import { nameToApi } from "../../dns/name.ts";
import { printRecord } from "../../dns/reply.ts";
import { printRdata } from "../../dns/types.ts";
import { opensRecord } from "../access/permit.ts";
import type { Ctx } from "../context.ts";
import type { Excerpt } from "../excerpt/excerpt.ts";
import type { RecordRow } from "../records/store.ts";
import { ancestorsOf } from "../zones/ownership.ts";
import type { Step } from "./schema.ts";

const rcodes = new Map<number, string>(Object.entries(Rcode).map(([name, code]) => [code, name]));

export const sections = ({ reply, octets }: Asked) => ({
  rcode: rcodes.get(reply.rcode) ?? `RCODE${reply.rcode}`,
  flags: [...(reply.flags & Flag.AA ? ["aa"] : []), ...(reply.flags & Flag.TC ? ["tc"] : [])],
  answer: reply.answer.map(printRecord),
  authority: reply.authority.map(printRecord),
  additional: reply.additional.map(printRecord),
  octets,
});

/** RDATA of the answer section in order: what tells one answer from another. */
export const rdataOf = ({ reply }: Asked): string[] => reply.answer.map(({ type, rdata }) => printRdata(type, rdata));

/** Each look-up, with the chain of the record that it found. */
export function stepsOf(ctx: Ctx, excerpt: Excerpt, steps: readonly TraceStep[], type: string, now: number): Step[] {
  const shown: Step[] = [];
  for (const step of steps) {
    if (step.kind === "lookup") {
      const name = nameToApi(step.name);
      const { state, wildcard } = step;
      const zone = excerpt.zoneOf(name);
      const seen = zone?.account_id === ctx.account_id ? zone.zone : null;
      shown.push({ name, zone: seen, state, wildcard, record: null, hidden: false, answers: [], filters: [] });
      continue;
    }
    const last = shown.at(-1);
    if (!last) continue;
    const row = recordOf(excerpt, last, type);
    if (row && isOpen(ctx, excerpt, row)) {
      last.record = `${row.domain} ${row.type}`;
      last.answers = row.answers.map(({ id, answer, region }) => ({ id, answer, region: region ?? null }));
      last.filters = step.filters.map((filter) => filterOf(filter, now));
    } else last.hidden = true;
  }
  return shown;
}

/** States in which a record answers, or leads on. */
const found: readonly string[] = ["answer", "cname", "dname", "alias"];

/** The records that made the answer, each once, as far as they are the caller's to see. */
export function recordsOf(ctx: Ctx, excerpt: Excerpt, steps: readonly Step[], type: string): RecordRow[] {
  const rows = steps.flatMap((step) => (found.includes(step.state) ? (recordOf(excerpt, step, type) ?? []) : []));
  return [...new Set(rows)].filter((row) => isOpen(ctx, excerpt, row));
}

/** The record that a look-up found, at its name or at the wildcard that stands in for it. */
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

function isOpen({ account_id, caller }: Ctx, excerpt: Excerpt, row: RecordRow): boolean {
  const zone = excerpt.zoneOf(row.domain);
  return row.account_id === account_id && !!zone && opensRecord(caller.grant, zone.zone, row.domain, row.type);
}

const filterOf = ({ filter, config, acts, before, after, values, facts }: TracedFilter, now: number) => ({
  filter,
  config: config ?? null,
  acts,
  before: before.map(indexOf),
  after: after.map(indexOf),
  values: values.map(({ answer, key, value, source, feed, pushed_at }) => ({
    answer,
    key,
    value: value ?? null,
    source: source ?? null,
    feed: feed ?? null,
    age: pushed_at === undefined || Number.isNaN(pushed_at) ? null : (now - pushed_at) / 1000,
  })),
  facts: facts.map(({ fact, value, bits }) => ({ fact, value: value ?? null, bits })),
});

const indexOf = ({ answer, address }: TracedAnswer) =>
  address === undefined ? answer : [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
