/** Authentication by API key: look-up by keyed hash, remembered for less than a second, and the time of last use. */
import { hash, randomBytes } from "node:crypto";
import { type Clock, seconds } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Db } from "../store.ts";
import type { Caller } from "./caller.ts";
import type { Permissions } from "./permissions.ts";
import { grantOf } from "./permit.ts";
import { findKeyByHash, type KeyUse, touchKeys } from "./store.ts";

/** A key that was deleted or restricted at another process is obeyed within a second. */
const rememberFor = 900;
const mostRemembered = 10_000;
const noteEvery = 1000;

interface Remembered {
  readonly until: number;
  readonly caller: Promise<Caller | undefined>;
}

export class Keys {
  readonly #db: Db;
  readonly #secrets: Secrets;
  readonly #clock: Clock;
  readonly #log: Log;
  /** By a digest, so that memory holds no key longer than its request. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #salt = randomBytes(16).toString("hex");
  readonly #used = new Map<string, KeyUse>();
  readonly #timer: NodeJS.Timeout;

  constructor(options: { readonly db: Db; readonly secrets: Secrets; readonly clock: Clock; readonly log: Log }) {
    this.#db = options.db;
    this.#secrets = options.secrets;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#timer = setInterval(() => this.#note(), noteEvery).unref();
  }

  /** The caller whose key this is. An unknown key, or none, takes the same steps. */
  async authenticate(key: string | undefined): Promise<Caller | undefined> {
    const caller = await this.#find(key ?? "");
    if (caller === undefined || key === undefined) return undefined;
    this.#used.set(caller.id, { account_id: caller.account_id, id: caller.id, at: seconds(this.#clock) });
    return caller;
  }

  /** Forgets every key, so that a change made here counts from the next request on. */
  forget(): void {
    this.#remembered.clear();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#note();
  }

  #find(key: string): Promise<Caller | undefined> {
    const now = performance.now();
    const digest = hash("sha256", this.#salt + key);
    const known = this.#remembered.get(digest);
    if (known && known.until > now) return known.caller;
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    const caller = this.#load(this.#secrets.hash(key));
    const remembered = { until: now + rememberFor, caller };
    this.#remembered.set(digest, remembered);
    caller.catch(() => {
      if (this.#remembered.get(digest) === remembered) this.#remembered.delete(digest);
    });
    return caller;
  }

  async #load(keyedHash: string): Promise<Caller | undefined> {
    const key = await findKeyByHash(this.#db, keyedHash);
    if (!key) return undefined;
    return {
      account_id: key.account_id,
      kind: "apikey",
      id: key.id,
      name: key.name,
      access: [grantOf(key.permissions as Permissions)],
      allowed: key.ip_whitelist_strict ? key.ip_whitelist : undefined,
      allowedOfAccount: key.allowed_of_account.flat(),
    };
  }

  async #note(): Promise<void> {
    const uses = [...this.#used.values()];
    this.#used.clear();
    if (uses.length === 0) return;
    try {
      await touchKeys(this.#db, uses);
    } catch (error) {
      this.#log.debug({ reason: String(error) }, "times of last use were not noted");
    }
  }
}
