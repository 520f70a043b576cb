/** Things of accounts that have changed since somebody looked at them: each is there once, and accounts take turns. */

/** Things of one account that are remembered; others must be found in other ways. */
const mostOfOne = 500;

/** Some of what has changed in an account. */
export interface ChangedPart {
  readonly account_id: string;
  readonly ids: readonly string[];
  /** Whether this is the first part of the account. */
  readonly isFirst: boolean;
}

export class ChangedThings {
  /** In the order of their next turns. */
  readonly #accounts = new Map<string, { isFirst: boolean; readonly things: Set<string> }>();

  get isEmpty(): boolean {
    return this.#accounts.size === 0;
  }

  /** Notes a change in an account. */
  add(account_id: string, ids: readonly string[]): void {
    this.postpone(account_id, ids);
    this.#accounts.get(account_id)!.isFirst = true;
  }

  /** Notes things that are to be looked at later. */
  postpone(account_id: string, ids: readonly string[]): void {
    const changed = this.#accounts.get(account_id) ?? { isFirst: false, things: new Set<string>() };
    this.#accounts.set(account_id, changed);
    for (const id of ids) if (changed.things.size < mostOfOne) changed.things.add(id);
  }

  /** Removes and returns some things of the account whose turn it is; undefined when there is none. */
  take(most: number): ChangedPart | undefined {
    const [next] = this.#accounts;
    if (!next) return undefined;
    const [account_id, changed] = next;
    const ids = [...changed.things].slice(0, most);
    for (const id of ids) changed.things.delete(id);
    const part = { account_id, ids, isFirst: changed.isFirst };
    // behind the other accounts
    this.#accounts.delete(account_id);
    if (changed.things.size > 0) this.#accounts.set(account_id, { ...changed, isFirst: false });
    return part;
  }
}
