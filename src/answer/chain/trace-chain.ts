/** Runs a chain for explain: records, for each filter, the answers before and after it, and what decided about them. */
import { isObject } from "../../lib/values.ts";
import type { LocatedClient } from "../filters/contract/client.ts";
import type { MetaSource } from "../filters/contract/column.ts";
import { feedKey } from "../filters/contract/columns.ts";
import type { ReadValue } from "../filters/contract/filter.ts";
import { filtersById } from "../filters/index.ts";
import type { RrsetView } from "../image/rrset/view.ts";
import type { Selection } from "../model/selection.ts";
import type { ChainFilter, Surroundings } from "./chain.ts";
import { SteeredRrset } from "./steered.ts";

/** An answer, by its number in the record from 0. `address` is set when a filter made an address from the answer. */
export interface TracedAnswer {
  readonly answer: number;
  /** An IPv4 address as an integer. */
  readonly address?: number;
}

/** An answer that a filter removed. */
export interface TracedLoss extends TracedAnswer {
  /** A clause for people. */
  readonly reason: string;
}

export interface TracedValue {
  readonly answer: number;
  readonly key: string;
  /** Undefined when the answer has no value. */
  readonly value: unknown;
  /** The level of metadata that has the value, or that names the feed. */
  readonly source?: MetaSource;
  readonly feed?: string;
  /** Unix milliseconds of the feed's push. */
  readonly pushed_at?: number;
}

export interface TracedFact {
  readonly fact: string;
  readonly value: unknown;
  /** Leading bits of the client's address on which the fact depends. */
  readonly bits: number;
}

export interface TracedFilter {
  readonly filter: string;
  readonly config: unknown;
  /** False when the filter can have no effect on this record. */
  readonly acts: boolean;
  readonly before: readonly TracedAnswer[];
  readonly after: readonly TracedAnswer[];
  readonly left: readonly TracedLoss[];
  /** The policy that applied because no answer was up: "keep" if the record has none. */
  readonly all_down: string | undefined;
  /** Whether `live_guard` put answers back. */
  readonly guarded: boolean;
  /** The values that the filter read, each once. */
  readonly values: readonly TracedValue[];
  readonly facts: readonly TracedFact[];
}

export interface ChainTrace {
  readonly filters: readonly TracedFilter[];
}

/** Runs the chain of the RRset in `view` on `selection`. The result is the same as without a trace. */
export function traceChain(
  view: RrsetView,
  surroundings: Surroundings,
  selection: Selection,
  client: LocatedClient,
): ChainTrace {
  const { live } = surroundings;
  const values = new Map<string, TracedValue>();
  const facts = new Map<string, TracedFact>();
  let all_down: string | undefined;
  let guarded = false;
  const { chain } = new SteeredRrset(view, surroundings, {
    value(answer, key, value, entry) {
      const at = entry?.feed === undefined ? -1 : live.cell(entry.feed, feedKey(key));
      values.set(`${answer} ${key}`, {
        answer,
        key,
        value,
        ...(entry ? { source: entry.source } : {}),
        ...(entry?.feed === undefined ? {} : { feed: entry.feed }),
        ...(at < 0 ? {} : { pushed_at: live.pushedAt(at) }),
      });
    },
    allDown(policy) {
      all_down = isObject(policy) && typeof policy["policy"] === "string" ? policy["policy"] : "keep";
    },
    guarded() {
      guarded = true;
    },
  });
  client.note = (fact, value, bits) => facts.set(`${fact} ${value} ${bits}`, { fact, value, bits });
  chain.begin(selection);
  const filters = chain.filters.map((filter): TracedFilter => {
    values.clear();
    facts.clear();
    all_down = undefined;
    guarded = false;
    const before = listOf(selection);
    filter.step?.(selection, client);
    const after = listOf(selection);
    // a fence also reads answers that are not selected, and keeps the verdicts for later clients
    const wasSelected = ({ answer }: TracedValue) => before.some((each) => each.answer === answer);
    const read = { values: [...values.values()].filter(wasSelected), facts: [...facts.values()] };
    const gone = {
      before,
      after,
      all_down,
      read: (answer: number, key: string) => values.get(`${answer} ${key}`)?.value,
    };
    const { id, config, step } = filter;
    const acts = step !== undefined;
    return { filter: id, config, acts, before, after, left: lossesOf(filter, gone), all_down, guarded, ...read };
  });
  client.note = undefined;
  return { filters };
}

interface Outcome extends Pick<TracedFilter, "before" | "after" | "all_down"> {
  readonly read: (answer: number, key: string) => unknown;
}

/** The answers that a filter removed; an answer that was replaced with addresses made from it is still there. */
function lossesOf({ id, config }: ChainFilter, { before, after, all_down, read }: Outcome): TracedLoss[] {
  const filter = filtersById.get(id);
  const isSame = (one: TracedAnswer, other: TracedAnswer) =>
    one.answer === other.answer && (filter?.kind === "modifies" || one.address === other.address);
  const gone = before.filter((one) => !after.some((other) => isSame(one, other)));
  return gone.map((one) => {
    const readOwn: ReadValue = (key) => read(one.answer, key) ?? undefined;
    const policy = `no answer is up, and all_down is "${all_down}"`;
    return { ...one, reason: all_down === undefined ? (filter?.reason?.(config, readOwn) ?? "") : policy };
  });
}

const listOf = (selection: Selection): TracedAnswer[] =>
  Array.from({ length: selection.count }, (_, rank) => {
    const address = selection.address(rank);
    return { answer: selection.answer(rank), ...(address === undefined ? {} : { address: address >>> 0 }) };
  });
