/** The contract of a rule: what it is called, and what it looks at. */
import type { Entry } from "../../../../answer/filters/contract/column.ts";
import type { Filter, Step } from "../../../../answer/filters/contract/filter.ts";
import type { MetaKey } from "../../../../answer/model/meta.ts";
import type { Selection } from "../../../../answer/model/selection.ts";
import type { RecordRow } from "../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";

export interface Rule<Code extends string = string> {
  /** Stable: programs go by it. */
  readonly code: Code;
  /** Pure; a record that is as it should be yields nothing. */
  check(subject: Subject): readonly Finding[];
}

export interface Finding {
  /** The part of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`. */
  readonly field: string;
  /** One sentence for people, without a full stop. */
  readonly message: string;
}

/** A record as rules see it. */
export interface Subject {
  readonly zone: ZoneRow;
  readonly record: RecordRow;
  /** The enabled filters in order. */
  readonly links: readonly LintedLink[];
  /** Names in the account's zones that answers lead to, and that do not exist. */
  readonly missing: ReadonlySet<string>;
  /** All answers, as the chain begins with them. */
  select(): Selection;
}

export interface LintedLink {
  /** Place in the record's `filters`. */
  readonly index: number;
  readonly filter: Filter;
  readonly config: unknown;
  /** Undefined when the filter can do nothing to this record. */
  readonly step: Step | undefined;
  /** What each answer has of each of the filter's inputs. */
  readonly inputs: ReadonlyMap<MetaKey, readonly (Entry | undefined)[]>;
}

export const rule = <const Code extends string>(declared: Rule<Code>): Rule<Code> => declared;

export const filterField = ({ index }: LintedLink) => `filters[${index}]`;

/** Whether feeds have a say in what a filter does. */
export const isLive = ({ inputs }: LintedLink) =>
  [...inputs.values()].some((entries) => entries.some((entry) => entry?.feed !== undefined));

/** Answers that a filter leaves at most. */
export const mostLeft = ({ filter, config }: LintedLink) =>
  filter.kind === "eliminates" ? filter.sees(config) : Number.POSITIVE_INFINITY;
