/** A queue in which accounts take turns, and so do the addresses of one account. */

/** The number of accounts whose last turn is stored; any other account comes first, like a new account. */
const mostRemembered = 1000;

export class FairQueue<T> {
  /** Items by account and address. The account's next address comes first. */
  readonly #accounts = new Map<string, Map<string, T[]>>();
  /** Each account's last turn, as a number; oldest first. */
  readonly #turns = new Map<string, number>();
  #turn = 0;
  size = 0;

  add(account: string, address: string, item: T): void {
    const addresses = this.#accounts.get(account) ?? new Map<string, T[]>();
    const items = addresses.get(address) ?? [];
    items.push(item);
    this.#accounts.set(account, addresses.set(address, items));
    this.size++;
  }

  count(account: string): number {
    return sum(this.#accounts.get(account));
  }

  /** Records a turn of an account that did not wait. */
  note(account: string): void {
    this.#turns.delete(account);
    this.#turns.set(account, ++this.#turn);
    if (this.#turns.size > mostRemembered) this.#turns.delete(this.#turns.keys().next().value!);
  }

  /**
   * Removes and returns the first item of the account whose last turn is the oldest, among the accounts and addresses
   * that `may` and `mayAddress` permit. `mayAddress` is called only for accounts that `may` permits.
   */
  take(
    may: (account: string) => boolean = anyOf,
    mayAddress: (account: string, address: string) => boolean = anyOf,
  ): T | undefined {
    let first: { readonly account: string; readonly address: string; readonly turn: number } | undefined;
    for (const [account, addresses] of this.#accounts) {
      const turn = this.#turns.get(account) ?? 0;
      if ((first && turn >= first.turn) || !may(account)) continue;
      for (const address of addresses.keys()) {
        if (!mayAddress(account, address)) continue;
        first = { account, address, turn };
        break;
      }
    }
    if (!first) return undefined;
    const { account, address } = first;
    this.note(account);
    const addresses = this.#accounts.get(account)!;
    const items = addresses.get(address)!;
    const item = items.shift();
    // behind the account's other addresses
    addresses.delete(address);
    addresses.set(address, items);
    this.#tidy(account, address);
    return item;
  }

  /** Removes the last item of the address with the most items, in the account with the most items. */
  drop(): T | undefined {
    if (this.size === 0) return undefined;
    const [account, addresses] = longest(this.#accounts, sum);
    const [address, items] = longest(addresses, ({ length }) => length);
    const item = items.pop();
    this.#tidy(account, address);
    return item;
  }

  /** Updates the size and removes empty entries, after an item was removed. */
  #tidy(account: string, address: string): void {
    this.size--;
    const addresses = this.#accounts.get(account)!;
    if (addresses.get(address)!.length === 0) addresses.delete(address);
    if (addresses.size === 0) this.#accounts.delete(account);
  }
}

const anyOf = () => true;

const sum = (addresses: ReadonlyMap<string, readonly unknown[]> = new Map()) =>
  [...addresses.values()].reduce((total, { length }) => total + length, 0);

/** The longest entry; the last one if several are equally long. The map is not empty. */
const longest = <V>(map: ReadonlyMap<string, V>, lengthOf: (value: V) => number): [string, V] =>
  [...map].reduce((most, entry) => (lengthOf(entry[1]) >= lengthOf(most[1]) ? entry : most));
