/** The steps that led to an answer, for explain. */
import type { Name } from "../../dns/wire/name.ts";
import type { ChainTrace } from "../chain/trace-chain.ts";
import type { State } from "../lookup/lookup.ts";

/** One look-up along a CNAME chain. */
export interface LookupTrace {
  readonly kind: "lookup";
  /** The name that was looked up. */
  readonly name: Name;
  readonly state: State;
  /** Whether a wildcard matched the name. */
  readonly wildcard: boolean;
  /** The target of a linked record, whether it exists or not. */
  readonly link: Name | undefined;
}

/** The trace of a filter chain comes after the look-up that found its record. */
export type TraceStep = LookupTrace | ({ readonly kind: "chain" } & ChainTrace);

export type Trace = (step: TraceStep) => void;
