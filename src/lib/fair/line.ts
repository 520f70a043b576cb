/** Work that goes on one at a time; accounts take turns, however much one of them has waiting. */

interface Waiting {
  readonly account_id: string;
  readonly begin: () => Promise<void>;
}

export class Queue {
  #waiting: Waiting[] = [];
  /** When accounts had their last turn, of those that had one since nothing waited. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  #working: Promise<void> | undefined;

  /** Runs it when it is the account's turn. */
  run<T>(account_id: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ account_id, begin: () => work().then(resolve, reject) });
    this.#working ??= this.#work();
    return promise;
  }

  /** Resolves when nothing is left. */
  async end(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    // whoever comes in the same moment has a turn as well
    await Promise.resolve();
    for (let next = this.#next(); next; next = this.#next()) await next.begin();
    this.#turns.clear();
    this.#working = undefined;
  }

  /** The first of an account whose turn was the longest ago. */
  #next(): Waiting | undefined {
    const lastOf = ({ account_id }: Waiting) => this.#turns.get(account_id) ?? 0;
    const earliest = Math.min(...this.#waiting.map(lastOf));
    const next = this.#waiting.find((one) => lastOf(one) === earliest);
    if (!next) return undefined;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#turns.set(next.account_id, ++this.#turn);
    return next;
  }
}
