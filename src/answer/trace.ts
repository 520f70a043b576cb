/** What a look-up did, step by step, for those who ask why an answer is as it is. */
import type { Name } from "../dns/name.ts";
import type { State } from "./lookup.ts";

/** One look-up on the way along a chain of aliases. */
export interface TraceStep {
  /** The name that was looked for. */
  readonly name: Name;
  readonly state: State;
  /** Whether a wildcard stood in for the name. */
  readonly wildcard: boolean;
}

export type Trace = (step: TraceStep) => void;
