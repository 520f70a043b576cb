/** Keys and partners that are known, and what a new reading of them changes. */
import { isDeepStrictEqual } from "node:util";
import type { GonePeers, Peers, PeersChange } from "./peers.ts";

type Kind = keyof Peers;

export class KnownPeers {
  readonly #keys: Known<"keys">;
  readonly #outgoing: Known<"outgoing">;
  readonly #incoming: Known<"incoming">;

  constructor(peers: Peers) {
    this.#keys = new Known((key) => key.name, peers.keys);
    this.#outgoing = new Known((each) => each.zone, peers.outgoing);
    this.#incoming = new Known((each) => each.zone, peers.incoming);
  }

  all(): Peers {
    return { keys: this.#keys.all(), outgoing: this.#outgoing.all(), incoming: this.#incoming.all() };
  }

  /** Takes all that some accounts have, or all accounts. Returns what differs; undefined if nothing does. */
  take(peers: Peers, accounts: ReadonlySet<string> | undefined): PeersChange | undefined {
    const keys = this.#keys.take(peers.keys, accounts);
    const outgoing = this.#outgoing.take(peers.outgoing, accounts);
    const incoming = this.#incoming.take(peers.incoming, accounts);
    const set: Peers = { keys: keys.set, outgoing: outgoing.set, incoming: incoming.set };
    const gone: GonePeers = { keys: keys.gone, outgoing: outgoing.gone, incoming: incoming.gone };
    return [keys, outgoing, incoming].some((part) => part.set.length + part.gone.length > 0)
      ? { set, gone }
      : undefined;
  }
}

/** What is known of one kind, by account and name. */
class Known<K extends Kind, Item extends Peers[K][number] = Peers[K][number]> {
  readonly #nameOf: (item: Item) => string;
  readonly #byAccount = new Map<string, ReadonlyMap<string, Item>>();

  constructor(nameOf: (item: Item) => string, items: readonly Item[]) {
    this.#nameOf = nameOf;
    this.take(items, undefined);
  }

  all(): Item[] {
    return [...this.#byAccount.values()].flatMap((items) => [...items.values()]);
  }

  take(items: readonly Item[], accounts: ReadonlySet<string> | undefined): { set: Item[]; gone: Item[] } {
    const byAccount = Map.groupBy(items, ({ account_id }) => account_id);
    const set: Item[] = [];
    const gone: Item[] = [];
    for (const account of accounts ?? new Set([...this.#byAccount.keys(), ...byAccount.keys()])) {
      const before = this.#byAccount.get(account) ?? new Map<string, Item>();
      const now = new Map((byAccount.get(account) ?? []).map((item) => [this.#nameOf(item), item]));
      for (const [name, item] of now) if (!isDeepStrictEqual(before.get(name), item)) set.push(item);
      for (const [name, item] of before) if (!now.has(name)) gone.push(item);
      if (now.size > 0) this.#byAccount.set(account, now);
      else this.#byAccount.delete(account);
    }
    return { set, gone };
  }
}
