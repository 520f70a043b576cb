/** Authentication by API key: look-up by keyed hash, cached for less than a second, and the time of last use. */
import type { ClientNames } from "../../http/message/address.ts";
import { type Clock, seconds } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Store } from "../../storage/db.ts";
import { type Db, shareOfNetwork } from "../kit/store.ts";
import { CredentialCache } from "./cache.ts";
import type { Caller } from "./caller.ts";
import { teamsById } from "./holder.ts";
import { LastUse } from "./last-use.ts";
import { standingOf } from "./standing.ts";
import { findKeyByHash, type KeyUse, touchKeys } from "./store.ts";

interface Known {
  readonly caller: Caller;
  readonly secret_id: string | null;
}

/** The parts of the service that look up credentials. */
export interface CredentialOptions {
  readonly store: Pick<Store, "db" | "readsOf">;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
}

export class Keys {
  readonly #store: Pick<Store, "db" | "readsOf">;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #cache = new CredentialCache<Known>();
  readonly #uses: LastUse<KeyUse>;

  constructor(options: CredentialOptions) {
    this.#store = options.store;
    this.#secrets = options.secrets;
    this.#clock = options.clock;
    this.#uses = new LastUse((uses) => touchKeys(this.#store.db, uses), options.log);
  }

  /**
   * The caller with this key. Unknown, expired and missing keys take the same steps. A look-up takes the connections of
   * the key's account if that is known, otherwise those of the sender's network.
   */
  authenticate(key: string | undefined, { network }: ClientNames): Caller | undefined | Promise<Caller | undefined> {
    const share = shareOfNetwork(network);
    // no network waits for the look-up of another one
    const text = key || share;
    const known = this.#cache.find(text, (account_id) => this.#load(this.#store.readsOf(account_id ?? share), text));
    if (known instanceof Promise) return known.then((loaded) => this.#use(loaded, key));
    return this.#use(known, key);
  }

  /** The caller, if the key was sent and is valid; notes the use. */
  #use(known: Known | undefined, key: string | undefined): Caller | undefined {
    const at = seconds(this.#clock);
    if (known === undefined || key === undefined || known.caller.ends <= at) return undefined;
    const { caller, secret_id } = known;
    const { account_id, id } = caller;
    this.#uses.note(`${id} ${secret_id}`, { account_id, id, secret_id, at });
    return caller;
  }

  /** The caller with this key, read from the store in the transaction of `db`. */
  async findAgain(db: Db, key: string | undefined): Promise<Caller | undefined> {
    const known = key === undefined ? undefined : await this.#load(db, key);
    return known && known.caller.ends > seconds(this.#clock) ? known.caller : undefined;
  }

  /** Clears the cache, so that a change made by this process applies from the next request. */
  forget(): void {
    this.#cache.forget();
  }

  close(): Promise<void> {
    return this.#uses.close();
  }

  async #load(db: Db, text: string): Promise<Known | undefined> {
    const key = await findKeyByHash(db, this.#secrets.hash(text));
    if (!key || (key.secret_id !== null && !key.enabled)) return undefined;
    const caller: Caller = {
      account_id: key.account_id,
      kind: "apikey",
      id: key.id,
      name: key.name,
      suspended: key.suspended_at !== null,
      isOperator: key.operator,
      ...standingOf(key, teamsById(key.in_teams)),
      allowedOfAccount: key.allowed_of_account.flat(),
      deletionGuard: key.deletion_guard,
      ends: key.expires_at ?? Number.POSITIVE_INFINITY,
      confirmedUntil: Number.POSITIVE_INFINITY,
    };
    return { caller, secret_id: key.secret_id };
  }
}
