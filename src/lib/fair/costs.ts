/** The time that accounts use, with a steady discount: shows which accounts use more than their share. */

export interface CostLimits {
  /** The share of the time that an account may use, without a time limit. */
  readonly share: number;
  /** Milliseconds that an account may use beyond that. */
  readonly burst: number;
}

interface Spent {
  /** Milliseconds beyond the share, at the time `at`. */
  readonly level: number;
  readonly at: number;
}

/** Milliseconds after which an account without costs is forgotten. */
const forgottenAfter = 10_000;
const sweepAt = 1000;

export class Costs {
  readonly #limits: CostLimits;
  readonly #now: () => number;
  /** In the order of the latest costs. */
  readonly #spent = new Map<string, Spent>();

  constructor(limits: CostLimits, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  add(account: string, milliseconds: number): void {
    const level = Math.min(2 * this.#limits.burst, this.#level(account) + milliseconds);
    this.#spent.delete(account);
    this.#spent.set(account, { level, at: this.#now() });
    if (this.#spent.size > sweepAt) this.#sweep();
  }

  /** Whether the account has used more than its share while other accounts had costs, too. */
  isOver(account: string): boolean {
    if (this.#level(account) <= this.#limits.burst) return false;
    const others = [...this.#spent.keys()].slice(-2).filter((other) => other !== account);
    return others.some((other) => this.#now() - this.#spent.get(other)!.at < forgottenAfter);
  }

  #level(account: string): number {
    const spent = this.#spent.get(account);
    return spent ? Math.max(0, spent.level - this.#limits.share * (this.#now() - spent.at)) : 0;
  }

  #sweep(): void {
    for (const [account, { at }] of this.#spent) {
      if (this.#now() - at < forgottenAfter && this.#spent.size <= 2 * sweepAt) return;
      this.#spent.delete(account);
    }
  }
}
