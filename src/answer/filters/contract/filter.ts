/** The contract of a filter: what it declares, what it is compiled from, and what a query shows it. */
import { type Fields, readConfig, type ValuesOf } from "../../../lib/fields.ts";
import type { MetaKey } from "../../model/meta.ts";
import type { PrefixSet } from "../../model/prefixes.ts";
import type { Selection } from "../../model/selection.ts";

/**
 * - `eliminates`: leaves a subset, in the order that it found
 * - `reorders`: leaves all, in another order
 * - `selects`: may do both
 * - `modifies`: may put answers of its own making in the place of others, or beside them
 */
export type FilterKind = "eliminates" | "reorders" | "selects" | "modifies";

interface Declaration<C extends Fields> {
  readonly id: string;
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly tier: 2 | 3;
  readonly kind: FilterKind;
  /** Metadata that it reads. */
  readonly inputs: readonly MetaKey[];
  readonly config: C;
  /** Types of records on which it acts; it does nothing on others. All when left out. */
  readonly rectypes?: readonly string[];
  /** Listed in this edition only. */
  readonly edition?: "ddi";
  /** How many ranks from the first on it looks at, when not all: the work of earlier filters behind them is lost. */
  sees?(config: ValuesOf<C>): number;
  /**
   * Called once for each use in a chain. All that needs no query is computed here.
   * Undefined when the filter can do nothing to this record: it then costs nothing.
   */
  compile(config: ValuesOf<C>, record: FilterRecord): Step | undefined;
}

/**
 * Acts on the answers that are left. Pure: the selection, the columns, the client and its random numbers decide.
 * Allocates nothing, throws nothing, whatever the metadata is.
 */
export type Step = (selection: Selection, client: FilterClient) => void;

/** A filter as a registry holds it. */
export interface Filter extends Omit<Declaration<Fields>, "compile" | "sees"> {
  /** `config` as it is stored: what is odd in it means the default. */
  compile(config: unknown, record: FilterRecord): Step | undefined;
  sees(config: unknown): number;
}

export function filter<const C extends Fields>(declaration: Declaration<C>): Filter {
  return {
    ...declaration,
    compile: (config, record) => declaration.compile(readConfig(declaration.config, config), record),
    sees: (config) => declaration.sees?.(readConfig(declaration.config, config)) ?? Number.POSITIVE_INFINITY,
  };
}

/**
 * The record that a filter is compiled for. Its answers are numbered from 0 in the order of the record; number
 * `answers` stands for an answer without metadata and region, such as one that a filter made.
 */
export interface FilterRecord {
  readonly type: string;
  readonly answers: number;
  /** Answer to number of its region in `regionNames`; 0 is no region. */
  readonly regions: Int32Array;
  /** `regionNames[0]` is the empty name. */
  readonly regionNames: readonly string[];
  /** Answer to a hash of its RDATA: the same on every edge and after every restart, whatever stands beside it. */
  readonly identities: Int32Array;
  /** How many ranks from the first on later filters can see: the others need no order. */
  readonly needed: number;
  readonly atlas: Atlas;
  /** A metadata key of all answers as numbers; true is 1, false is 0, numbers in text count. */
  numbers(key: string): NumberColumn;
  /** A metadata key of all answers, each value taken in by `parse`, which must not throw. */
  values<Value>(key: string, parse: (value: unknown) => Value | undefined): ValueColumn<Value>;
  /** To be called by a filter that finds no answer up: does what the record's policy says. */
  allDown(selection: Selection): void;
}

/**
 * A metadata key of all answers. An answer's own value goes before its region's, that before the record's; the value
 * of a feed is the one that it has at the time of the query.
 */
interface Column {
  /** Whether no answer has a value, and none can get one from a feed. */
  readonly isEmpty: boolean;
  /** Whether no value can change: what is computed from it may be computed when the filter is compiled. */
  readonly isConstant: boolean;
}

export interface NumberColumn extends Column {
  /** NaN when the answer has no value, or one that is no number. */
  at(answer: number): number;
}

export interface ValueColumn<Value> extends Column {
  /** Undefined when the answer has no value, or one that was not taken in. The same object until the value changes. */
  at(answer: number): Value | undefined;
}

/**
 * Who asks: the client's network when the query names it and the record wants it, else whoever sent the packet. Each
 * method notes how much of the address its result depended on, so that the answer's scope is true (RFC 7871
 * section 7.2.1): nothing about the client may be known in another way.
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
  /** A hash of the network of this many bits, by family: the same on every edge and after every restart. */
  network(v4: number, v6: number): number;
  /** From 0 up to, not including, 1. */
  random(): number;
  /** What the `*` of a wildcard record stands for: labels in wire format, lower case; undefined without a wildcard. */
  matched(): Uint8Array | undefined;
}

/** Where places are. */
export interface Atlas {
  /**
   * The middle of a country (`US`), of a subdivision (`US-CA`) or of a georegion (`US-WEST`). Of a subdivision that is
   * not known it is that of its country.
   */
  centre(place: string): Coordinates | undefined;
}

/** Degrees. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}
