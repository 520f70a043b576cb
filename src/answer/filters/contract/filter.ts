/** The contract of a filter: its declaration, the record that it is compiled for, and the client of a query. */
import { type Fields, readConfig, type ValuesOf } from "../../../lib/fields.ts";
import type { PrefixSet } from "../../lists/prefixes.ts";
import type { MetaKey } from "../../model/meta.ts";
import type { Selection } from "../../model/selection.ts";

/**
 * - `eliminates`: keeps a subset, in the same order
 * - `reorders`: keeps all answers, in another order
 * - `selects`: may do both
 * - `modifies`: may replace answers with answers that it makes, or add such answers
 */
export type FilterKind = "eliminates" | "reorders" | "selects" | "modifies";

interface Declaration<C extends Fields> {
  readonly id: string;
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly tier: 2 | 3;
  readonly kind: FilterKind;
  /** The metadata keys that it reads. */
  readonly inputs: readonly MetaKey[];
  readonly config: C;
  /** The record types that it applies to; by default all. */
  readonly rectypes?: readonly string[];
  /** The only edition that lists it. */
  readonly edition?: "ddi";
  /** The number of ranks, from the first, that it looks at; by default all. Earlier filters need not order later ranks. */
  sees?(config: ValuesOf<C>): number;
  /** Why it removed an answer, as a clause for people. Only filters of the kind `reorders` never remove one. */
  reason?(config: ValuesOf<C>, read: ReadValue): string;
  /**
   * Called once for each use in a chain, for the work that does not depend on a query. Returns undefined if the filter
   * can have no effect on this record: queries then skip it.
   */
  compile(config: ValuesOf<C>, record: FilterRecord): Step | undefined;
}

/** Returns the value of an answer for a metadata key, as a filter has read it; undefined when there is none. */
export type ReadValue = (key: string) => unknown;

/**
 * Changes the selection. Pure: the result depends only on the selection, the columns, the client and its random
 * numbers. It must not allocate, and must not throw for any metadata.
 */
export type Step = (selection: Selection, client: FilterClient) => void;

/** A filter in the form that the registry holds. */
export interface Filter extends Omit<Declaration<Fields>, "compile" | "sees" | "reason"> {
  /** Takes `config` as it is stored; invalid values become the default. */
  compile(config: unknown, record: FilterRecord): Step | undefined;
  sees(config: unknown): number;
  /** Undefined for a filter that removes no answers. */
  readonly reason: ((config: unknown, read: ReadValue) => string) | undefined;
}

export function filter<const C extends Fields>(declaration: Declaration<C>): Filter {
  const { reason } = declaration;
  return {
    ...declaration,
    compile: (config, record) => declaration.compile(readConfig(declaration.config, config), record),
    sees: (config) => declaration.sees?.(readConfig(declaration.config, config)) ?? Number.POSITIVE_INFINITY,
    reason: reason && ((config, read) => reason(readConfig(declaration.config, config), read)),
  };
}

/**
 * The record that a filter is compiled for. Its answers are numbered from 0 in the order of the record; number
 * `answers` is an answer without metadata and region, such as one that a filter made.
 */
export interface FilterRecord {
  readonly type: string;
  readonly answers: number;
  /** Index into `regionNames` by answer; 0 is no region. */
  readonly regions: Int32Array;
  /** `regionNames[0]` is the empty name. */
  readonly regionNames: readonly string[];
  /** A hash of each answer's RDATA: the same on every edge, after every restart, and whatever the other answers are. */
  readonly identities: Int32Array;
  /** The number of ranks, from the first, that later filters look at: the ranks after them need no order. */
  readonly needed: number;
  readonly atlas: Atlas;
  /** The values of a metadata key as numbers (see `numberOf`). */
  numbers(key: string): Column<number>;
  /** The values of a metadata key, each parsed by `parse`, which must not throw. */
  values<Value>(key: string, parse: (value: unknown) => Value | undefined): Column<Value | undefined>;
  /** Applies the record's `all_down` policy. */
  allDown(selection: Selection): void;
}

/**
 * The values of a metadata key by answer. An answer's own value takes precedence over its region's, and a region's over
 * the record's; a feed has the value that it has at the time of the query.
 */
export interface Column<Value> {
  /** Whether no answer has a value, and none can get one from a feed. */
  readonly isEmpty: boolean;
  /** Whether no value can change: results that depend on it alone may be computed when the filter is compiled. */
  readonly isConstant: boolean;
  /** NaN or undefined when the answer has no valid value. Until the value changes, the same object is returned. */
  at(answer: number): Value;
}

/**
 * The requester: the client subnet if the query has one and the record uses it, otherwise the sender of the packet. Each
 * method records on how many bits of the address its result depends, for the answer's scope (RFC 7871 section 7.2.1).
 * Filters must use no other facts about the client.
 */
export interface FilterClient {
  /** ISO 3166-1 alpha-2, in capital letters; empty when not known. */
  country(): string;
  /** ISO 3166-2 without the country, such as `CA`; empty when not known. */
  subdivision(): string;
  /** One of `georegions`; empty when not known. */
  georegion(): string;
  /** Number of the autonomous system; 0 when not known. */
  asn(): number;
  /** Degrees; both NaN when not known. */
  latitude(): number;
  longitude(): number;
  isIn(prefixes: PrefixSet): boolean;
  /** A hash of the client's network, of `v4` bits for IPv4 or `v6` for IPv6: the same on every edge and after restarts. */
  network(v4: number, v6: number): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** The labels that the `*` of a wildcard matched, in wire format and lower case; undefined without a wildcard. */
  matched(): Uint8Array | undefined;
}

/** Coordinates of places. */
export interface Atlas {
  /**
   * The middle of a country (`US`), of a subdivision (`US-CA`) or of a georegion (`US-WEST`). For an unknown
   * subdivision, the middle of its country.
   */
  centre(place: string): Coordinates | undefined;
}

/** Degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}
