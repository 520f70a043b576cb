/** The service behind the route kit: authentication, rights, and the transaction around every write. */
import type { Target } from "../http/route.ts";
import type { Idempotency, Outcome, Service, StoredReply, WriteRequest, Written } from "../http/service.ts";
import { type Clock, seconds } from "../lib/clock.ts";
import { conflict, denied, Problem, unauthenticated } from "../lib/problem.ts";
import type { Secrets } from "../lib/secrets.ts";
import { insertChange } from "../storage/changes.ts";
import type { Store } from "../storage/db.ts";
import { sendLast } from "../storage/transaction.ts";
import { isListed } from "./access/allowlist.ts";
import { assertPermitted, type Caller, placeOf } from "./access/caller.ts";
import type { Keys } from "./access/keys.ts";
import type { Right } from "./access/rights.ts";
import { activityEntry } from "./activity/entry.ts";
import { insertEntry } from "./activity/store.ts";
import { Changes, type Ctx, type Settings } from "./context.ts";
import { findReply, insertReply, type KeptReply } from "./idempotency/store.ts";
import { type Db, holdSnapshot, isDuplicate, type Statement, type Tx } from "./store.ts";

export interface ServiceOptions {
  readonly store: Store;
  readonly keys: Keys;
  readonly secrets: Secrets;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Called after each commit that left a change. */
  readonly wake: () => void;
}

export function createService(options: ServiceOptions): Service<Caller, Right, Ctx> {
  const { store, keys, settings } = options;
  return {
    authenticate: (key) => keys.authenticate(key),
    admit(caller, address) {
      if (caller.allowed && !isListed(caller.allowed, address)) {
        throw denied(`requests from ${address} are not allowed for this key`, { address });
      }
    },
    permit: (caller, right, target: Target | undefined) => assertPermitted(caller, right, placeOf(target)),
    accountOf: (caller) => caller.account_id,
    rate: (caller) => (caller ? settings.rate : strangers),
    read: (caller, run) => run(context(options, store.db, known(caller), undefined, () => {})),
    write: (caller, request, run) => new Write(options, known(caller), request).run(run),
  };
}

/** Requests of one address without a valid key. */
const strangers = { limit: 1000, period: 1 };

function known(caller: Caller | undefined): Caller {
  if (!caller) throw unauthenticated("a key is required");
  return caller;
}

/** What the last statements of a transaction came to. */
interface Done extends Written {
  readonly acts: readonly (() => void)[];
}

class Write {
  readonly #options: ServiceOptions;
  readonly #caller: Caller;
  readonly #request: WriteRequest<Ctx>;

  constructor(options: ServiceOptions, caller: Caller, request: WriteRequest<Ctx>) {
    this.#options = options;
    this.#caller = caller;
    this.#request = request;
  }

  async run(handler: (ctx: Ctx) => Promise<Outcome>): Promise<Written> {
    const { acts, ...written } = await this.#commit(handler);
    for (const act of acts) act();
    if (written.change !== undefined && !written.replayed) this.#options.wake();
    return written;
  }

  /** A request that was sent twice at once fails in one of the two, which then gives the other's reply. */
  async #commit(handler: (ctx: Ctx) => Promise<Outcome>): Promise<Done> {
    const { store } = this.#options;
    try {
      return await store.transaction((tx) => this.#attempt(tx, handler));
    } catch (error) {
      const replayed = this.#request.idempotency && (await this.#replay(store.db, this.#request.idempotency));
      if (replayed && (error instanceof Problem || isDuplicate(error))) return replayed;
      throw error;
    }
  }

  async #attempt(tx: Tx, handler: (ctx: Ctx) => Promise<Outcome>): Promise<Done> {
    const { precondition, idempotency } = this.#request;
    if (precondition) await holdSnapshot(tx);
    const replayed = idempotency && (await this.#replay(tx, idempotency));
    if (replayed) return replayed;
    const acts: (() => void)[] = [];
    const ctx: Ctx = {
      ...context(this.#options, tx, this.#caller, this.#request.address, (act) => acts.push(act)),
      send: (statement) => sendLast(tx, statement),
    };
    await precondition?.(ctx);
    const outcome = await handler(ctx);
    if (outcome.changed) this.#logTo(ctx, outcome.resource);
    if (idempotency) ctx.send(this.#kept(idempotency, outcome.reply, ctx.now));
    const change = outcome.changed ? await this.#publish(tx, ctx) : undefined;
    return { reply: outcome.reply, change: change?.id, replayed: false, acts };
  }

  #logTo(ctx: Ctx, resource: unknown): void {
    const { log, address } = this.#request;
    if (!log) return;
    ctx.send(insertEntry(activityEntry({ caller: this.#caller, address, log, resource, now: ctx.now })));
  }

  /** Nothing may follow it: the change takes its place in the order when all locks are held. */
  async #publish(tx: Tx, { account_id, changes, now }: Ctx): Promise<{ id: string } | undefined> {
    const { zoneIds: zone_ids, steps, history } = changes;
    if (zone_ids.length === 0) return undefined;
    return await insertChange(tx, { account_id, zone_ids, changes: steps, history, now });
  }

  #kept({ key, request }: Idempotency, { status, body }: StoredReply, now: number): Statement {
    const own = ownKey(this.#caller, key);
    const { account_id } = this.#caller;
    const kept = this.#request.secret ? this.#options.secrets.seal(body, sealedFor(account_id, own)) : body;
    return insertReply(account_id, own, { request, status, body: kept }, now);
  }

  async #replay(db: Db, { key, request }: Idempotency): Promise<Done | undefined> {
    const own = ownKey(this.#caller, key);
    const kept = await findReply(db, this.#caller.account_id, own);
    if (!kept) return undefined;
    if (kept.request !== request) {
      throw conflict(`the Idempotency-Key "${key}" was sent before with another request`, { key });
    }
    return { reply: this.#opened(kept, own), change: undefined, replayed: true, acts: [] };
  }

  #opened({ status, body }: KeptReply, own: string): StoredReply {
    const { secrets } = this.#options;
    return { status, body: this.#request.secret ? secrets.open(body, sealedFor(this.#caller.account_id, own)) : body };
  }
}

/** An Idempotency-Key is its caller's: nobody gets the reply that another, who may see more, was given. */
const ownKey = (caller: Caller, key: string) => `${caller.id}:${key}`;

const sealedFor = (account_id: string, own: string) => `idempotency.body:${account_id}:${own}`;

function context(
  { clock, secrets, settings, keys }: ServiceOptions,
  db: Db,
  caller: Caller,
  address: string | undefined,
  afterCommit: (act: () => void) => void,
): Ctx {
  const send = () => {
    throw new Error("a read sends no statements");
  };
  return {
    db,
    caller,
    account_id: caller.account_id,
    address,
    now: seconds(clock),
    secrets,
    settings,
    changes: new Changes(),
    send,
    afterCommit,
    forgetKeys: () => keys.forget(),
  };
}
