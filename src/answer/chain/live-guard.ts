/** Limits the share of a record's answers that values of feeds may remove: a removal beyond it is undone. */
import type { FilterKind, Step } from "../filters/contract/filter.ts";
import { answerOf, mostAddresses } from "../model/selection.ts";

export class LiveGuard {
  readonly #most: number;
  readonly #before: Int32Array;
  readonly #after: Int32Array;
  readonly #isLeft: Uint8Array;
  readonly #note: (() => void) | undefined;
  /** Number of answers that values of feeds removed in the current query. */
  #removed = 0;

  /** `share` is from 0 to 1. `note` is called when answers are put back. */
  constructor(share: number, answers: number, note?: () => void) {
    this.#most = share * answers;
    this.#before = new Int32Array(answers + mostAddresses);
    this.#after = new Int32Array(answers + mostAddresses);
    this.#isLeft = new Uint8Array(answers + 1);
    this.#note = note;
  }

  /** Call before each run of the chain. */
  begin(): void {
    this.#removed = 0;
  }

  /** Wraps the step of a filter that reads values of feeds for the answers that `isLive` marks. */
  over(step: Step, kind: FilterKind, isLive: Uint8Array): Step {
    return (selection, client) => {
      const before = selection.save(this.#before);
      step(selection, client);
      if (selection.count >= before) return;
      const after = selection.save(this.#after);
      const lost = this.#lost(before, after, isLive);
      if (this.#removed + lost <= this.#most) {
        this.#removed += lost;
        return;
      }
      this.#note?.();
      selection.restore(this.#after, this.#returned(before, kind === "eliminates" ? 0 : after, isLive));
    };
  }

  #lost(before: number, after: number, isLive: Uint8Array): number {
    this.#isLeft.fill(0);
    for (let i = 0; i < after; i++) this.#isLeft[answerOf(this.#after[i]!)] = 1;
    let lost = 0;
    for (let i = 0; i < before; i++) {
      const answer = answerOf(this.#before[i]!);
      if (this.#isLeft[answer] === 0 && isLive[answer] === 1) lost++;
    }
    return lost;
  }

  /** Puts removed live answers back after the first `kept` answers. If `kept` is 0, the order before the step applies. */
  #returned(before: number, kept: number, isLive: Uint8Array): number {
    let count = kept;
    for (let i = 0; i < before; i++) {
      const answer = answerOf(this.#before[i]!);
      const isLeft = this.#isLeft[answer] === 1;
      if (isLeft ? kept === 0 : isLive[answer] === 1) this.#after[count++] = this.#before[i]!;
    }
    return count;
  }
}

/** The share in a record's stored `live_guard`; undefined when there is no limit. */
export const shareOf = (stored: unknown) =>
  typeof stored === "number" && stored >= 0 && stored < 1 ? stored : undefined;
