/** A queue in which accounts take turns, and so do the addresses of one account. */

export class FairQueue<T> {
  /** Items by account and address, each in the order of the next turns. */
  readonly #accounts = new Map<string, Map<string, T[]>>();
  size = 0;

  /** Adds an item. An account or address without waiting items gets its turn after all others that wait. */
  add(account: string, address: string, item: T): void {
    const addresses = this.#accounts.get(account) ?? new Map<string, T[]>();
    const items = addresses.get(address) ?? [];
    items.push(item);
    this.#accounts.set(account, addresses.set(address, items));
    this.size++;
  }

  has(account: string): boolean {
    return this.#accounts.has(account);
  }

  count(account: string): number {
    return sum(this.#accounts.get(account));
  }

  /**
   * Removes and returns the item whose turn is next, among the accounts and addresses that `may` and `mayAddress` permit.
   * `mayAddress` is called only for accounts that `may` permits, with the address's next item.
   */
  take(
    may: (account: string) => boolean = anyOf,
    mayAddress: (account: string, address: string, next: T) => boolean = anyOf,
  ): T | undefined {
    for (const [account, addresses] of this.#accounts) {
      if (!may(account)) continue;
      for (const [address, items] of addresses) {
        if (!mayAddress(account, address, items[0]!)) continue;
        const item = items.shift();
        toEnd(addresses, address);
        toEnd(this.#accounts, account);
        this.#tidy(account, address);
        return item;
      }
    }
    return undefined;
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

/** Moves an entry behind the others. */
function toEnd<V>(map: Map<string, V>, key: string): void {
  if (map.size === 1) return;
  const value = map.get(key)!;
  map.delete(key);
  map.set(key, value);
}

const anyOf = () => true;

const sum = (addresses: ReadonlyMap<string, readonly unknown[]> = new Map()) =>
  [...addresses.values()].reduce((total, { length }) => total + length, 0);

/** The longest entry; the last one if several are equally long. The map is not empty. */
const longest = <V>(map: ReadonlyMap<string, V>, lengthOf: (value: V) => number): [string, V] =>
  [...map].reduce((most, entry) => (lengthOf(entry[1]) >= lengthOf(most[1]) ? entry : most));
