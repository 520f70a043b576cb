/** The contract of a rule: its code, and the record that it checks. */
import type { Entry } from "../../../../answer/filters/contract/column.ts";
import type { Filter, Step } from "../../../../answer/filters/contract/filter.ts";
import type { MetaKey } from "../../../../answer/model/meta.ts";
import type { Selection } from "../../../../answer/model/selection.ts";
import type { RecordRow } from "../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../storage/tables/zones.ts";
import type { Cover } from "./parts/covers.ts";

export interface Rule<Code extends string = string> {
  /** Stable, because programs compare it. */
  readonly code: Code;
  /** Pure; returns nothing for a correct record. */
  check(linted: LintedRecord): readonly Finding[];
}

export interface Finding {
  /** The field of the record: `answers[0]`, `filters[2]`, `regions.eu`, `ttl`. */
  readonly field: string;
  /** One sentence for people, without a full stop. */
  readonly message: string;
}

/** A record as rules see it. */
export interface LintedRecord {
  readonly zone: ZoneRow;
  readonly record: RecordRow;
  /** The enabled filters in order. */
  readonly links: readonly LintedLink[];
  /** The targets in the account's zones that do not exist. */
  readonly missing: ReadonlySet<string>;
  /** The zone, delegation or DNAME that answers in place of the record. */
  readonly cover: Cover | undefined;
  /** Returns a selection of all answers, as at the beginning of the chain. */
  select(): Selection;
}

export interface LintedLink {
  /** The position in the record's `filters`. */
  readonly index: number;
  readonly filter: Filter;
  readonly config: unknown;
  /** Undefined when the filter has no effect on this record. */
  readonly step: Step | undefined;
  /** The values of each answer for each of the filter's inputs. */
  readonly inputs: ReadonlyMap<MetaKey, readonly (Entry | undefined)[]>;
}

export const rule = <const Code extends string>(declared: Rule<Code>): Rule<Code> => declared;

export const filterField = ({ index }: LintedLink) => `filters[${index}]`;

/** Whether a filter depends on values from feeds. */
export const isLive = ({ inputs }: LintedLink) =>
  [...inputs.values()].some((entries) => entries.some((entry) => entry?.feed !== undefined));

/** The most answers that a filter leaves. */
export const mostLeft = ({ filter, config }: LintedLink) =>
  filter.kind === "eliminates" ? filter.sees(config) : Number.POSITIVE_INFINITY;
