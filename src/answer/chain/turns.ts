/** A query whose chains run in turns, some filters in each: what they did in earlier turns. */
import type { LocatedClient } from "../filters/contract/client.ts";
import { Selection } from "../model/selection.ts";
import type { Chain } from "./chain.ts";

/** Thrown when a turn ends before the chains do. */
export const turnIsOver = Symbol("the turn is over");

/** The progress of one chain of the query. */
interface Part {
  readonly selection: Selection;
  chain: Chain | undefined;
  /** The number of its run. */
  run: number;
  /** The number of filters that ran. */
  done: number;
  /** Leading bits of the client's address on which they depended. */
  depth: number;
  /** Milliseconds. */
  took: number;
}

/** A worker has one object: at most one query is answered in turns at a time. Others may be answered between two turns. */
export class ChainTurns {
  /** Whether the query had a turn before this one. */
  isContinued = false;
  /** Microseconds that the last chain took, in all turns. */
  took = 0;
  /** When this turn ends, by the clock; undefined outside of turns. */
  #until: number | undefined;
  /** In the order in which the answer needs the chains, which is the same in each turn. */
  readonly #parts: Part[] = [];
  #at = 0;
  /** Milliseconds. */
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  get isTurn(): boolean {
    return this.#until !== undefined;
  }

  /** Whether the chain that `run` is called for next has not run yet. */
  get isNew(): boolean {
    return this.#parts[this.#at]?.chain === undefined;
  }

  /** Begins a turn of so many milliseconds, in which the query is answered anew, except that its chains go on. */
  begin(milliseconds: number): void {
    this.#until = this.#clock() + milliseconds;
    this.#at = 0;
    this.isContinued = !this.isNew;
  }

  /** Ends the turn. `isAnswered`: the next turn is for another query. */
  end(isAnswered: boolean): void {
    this.#until = undefined;
    this.isContinued = false;
    if (isAnswered) for (const part of this.#parts) part.chain = undefined;
  }

  /** Runs the next chain of the query; throws `turnIsOver` before its end. Returns its selection. */
  run(chain: Chain, client: LocatedClient): Selection {
    const part = this.#next();
    const began = this.#clock();
    if (part.chain === chain && part.run === chain.runs) {
      chain.resume();
      client.depth = Math.max(client.depth, part.depth);
    } else {
      // another query ran the chain, or the record changed; that may happen in each turn, so there is no further one
      if (part.chain) this.#until = Number.POSITIVE_INFINITY;
      chain.begin(part.selection);
      Object.assign(part, { chain, run: chain.runs, done: 0, took: 0 });
    }
    let isOver = false;
    while (part.done < chain.steps.length && !isOver) {
      chain.steps[part.done++]!(part.selection, client);
      isOver = this.#clock() >= this.#until!;
    }
    part.depth = client.depth;
    part.took += this.#clock() - began;
    if (part.done < chain.steps.length) throw turnIsOver;
    this.took = part.took * 1000;
    return part.selection;
  }

  #next(): Part {
    const at = this.#at++;
    this.#parts[at] ??= { selection: new Selection(), chain: undefined, run: 0, done: 0, depth: 0, took: 0 };
    return this.#parts[at];
  }
}
