/** Runs a chain for explain: records, for each filter, the answers before and after it, and the values it read. */
import type { LocatedClient } from "../filters/contract/client.ts";
import type { MetaSource, NoteValue } from "../filters/contract/column.ts";
import { feedKey } from "../filters/contract/columns.ts";
import type { RrsetView } from "../image/rrset/view.ts";
import type { Selection } from "../model/selection.ts";
import type { Surroundings } from "./chain.ts";
import { SteeredRrset } from "./steered.ts";

/** An answer, by its number in the record from 0. `address` is set when a filter made an address from the answer. */
export interface TracedAnswer {
  readonly answer: number;
  /** An IPv4 address as an integer. */
  readonly address?: number;
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
  const noteValue: NoteValue = (answer, key, value, entry) => {
    const at = entry?.feed === undefined ? -1 : live.cell(entry.feed, feedKey(key));
    values.set(`${answer} ${key}`, {
      answer,
      key,
      value,
      ...(entry ? { source: entry.source } : {}),
      ...(entry?.feed === undefined ? {} : { feed: entry.feed }),
      ...(at < 0 ? {} : { pushed_at: live.pushedAt(at) }),
    });
  };
  const { chain } = new SteeredRrset(view, surroundings, noteValue);
  client.note = (fact, value, bits) => facts.set(`${fact} ${value} ${bits}`, { fact, value, bits });
  chain.begin(selection);
  const filters = chain.filters.map(({ id, config, step }) => {
    values.clear();
    facts.clear();
    const before = listOf(selection);
    step?.(selection, client);
    // a fence also reads answers that are not selected, and keeps the verdicts for later clients
    const wasSelected = ({ answer }: TracedValue) => before.some((each) => each.answer === answer);
    const read = { values: [...values.values()].filter(wasSelected), facts: [...facts.values()] };
    return { filter: id, config, acts: step !== undefined, before, after: listOf(selection), ...read };
  });
  client.note = undefined;
  return { filters };
}

const listOf = (selection: Selection): TracedAnswer[] =>
  Array.from({ length: selection.count }, (_, rank) => {
    const address = selection.address(rank);
    return { answer: selection.answer(rank), ...(address === undefined ? {} : { address: address >>> 0 }) };
  });
