/** Sends the mails that wait in the store, in one process at a time; what is not taken is tried again for three days. */
import { setTimeout as delay } from "node:timers/promises";
import type { Registry } from "prom-client";
import { type Clock, seconds } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { Log } from "../../../lib/log.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import type { Store } from "../../../storage/db.ts";
import { releaseLease, takeLease } from "../../../storage/lease.ts";
import { activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";
import { type Carrier, MailRefused } from "./carrier.ts";
import { type MailMetrics, mailMetrics } from "./metrics.ts";
import { openMail } from "./queue.ts";
import {
  countMail,
  deleteMail,
  findMail,
  isAnyDue,
  listDue,
  type MailKey,
  type MailRow,
  postponeDue,
  updateMail,
} from "./store.ts";

export interface PostmanOptions {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly carrier: Carrier;
  readonly registry?: Registry | undefined;
}

const leaseName = "mail";
/** Milliseconds; a mail takes less, so that nobody else sends it meanwhile. */
const leaseFor = 60_000;
const sendWithin = 40_000;
/** Milliseconds between two looks when nobody tells of mails: those of other processes, and those to be tried again. */
const lookEvery = 5000;
/** Mails of one look. */
const batch = 20;

/** Seconds to the next try, which grow from ten to an hour. */
const waitAfter = (attempts: number) => Math.min(3600, 10 * 2 ** (attempts - 1));
/** Seconds after which a mail is given up: links in mails live no longer. */
export const triesFor = 3 * 86_400;

export class Postman {
  readonly #options: PostmanOptions;
  readonly #holder = newId();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #metrics: MailMetrics | undefined;
  #wake: () => void = () => {};
  /** The account whose turn was last. */
  #last = "";

  constructor(options: PostmanOptions) {
    const { registry, store } = options;
    this.#options = options;
    this.#metrics = registry && mailMetrics(registry, () => countMail(store.db));
    this.#running = this.#run();
  }

  /** There is a new mail. */
  wake(): void {
    this.#wake();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    await this.#running;
  }

  async #run(): Promise<void> {
    let isFailing = false;
    while (!this.#closing.signal.aborted) {
      const told = new Promise<void>((resolve) => (this.#wake = resolve));
      try {
        if (await this.#turn()) continue;
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#options.log.warn({ reason: String(error) }, "mails are not looked for; trying again");
        isFailing = true;
      }
      const over = new AbortController();
      const signal = AbortSignal.any([this.#closing.signal, over.signal]);
      await Promise.race([told, delay(lookEvery, undefined, { signal, ref: false }).catch(() => {})]);
      over.abort();
    }
  }

  /** Whether there may be more to be sent at once. */
  async #turn(): Promise<boolean> {
    const { store, clock } = this.#options;
    if (!(await isAnyDue(store.db, seconds(clock)))) return false;
    const lease = await takeLease(store.db, leaseName, this.#holder, leaseFor);
    if (!lease) return false;
    try {
      // looked for again: whoever had the lease before may have sent them
      const due = await listDue(store.db, seconds(clock), this.#last, batch);
      for (const key of due) {
        if (this.#closing.signal.aborted || !(await takeLease(store.db, leaseName, this.#holder, leaseFor)))
          return false;
        this.#last = key.account_id;
        if (!(await this.#deliver(key))) return false;
      }
      return due.length > 0;
    } finally {
      await releaseLease(store.db, lease);
    }
  }

  /** False when the mails after it had better wait. */
  async #deliver(key: MailKey): Promise<boolean> {
    const row = await findMail(this.#options.store.db, key);
    // taken back since
    if (!row) return true;
    const refusal = await this.#hand(row);
    if (refusal === undefined) {
      await deleteMail(this.#options.store.db, row);
      this.#metrics?.sent();
    }
    if (refusal === undefined || this.#closing.signal.aborted) return refusal === undefined;
    return await this.#refused(row, refusal);
  }

  /** undefined when it was taken. Whatever is wrong with one mail, one that cannot be opened for instance, is its own. */
  async #hand(row: MailRow): Promise<MailRefused | undefined> {
    const { secrets, carrier } = this.#options;
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(sendWithin)]);
    try {
      await carrier.send(row.id, openMail(secrets, row), signal);
      return undefined;
    } catch (error) {
      return error instanceof MailRefused ? error : new MailRefused(String(error));
    }
  }

  async #refused(row: MailRow, { message: reason, isFinal, isGeneral }: MailRefused): Promise<boolean> {
    const { store, clock, log } = this.#options;
    const now = seconds(clock);
    if (isFinal || now - row.created >= triesFor) {
      await this.#giveUp(row, reason, now);
    } else {
      this.#metrics?.refused();
      const attempts = row.attempts + 1;
      const next_try = now + waitAfter(attempts);
      log.warn({ mail: row.id, account: row.account_id, attempts, reason }, "a mail was not taken; trying again");
      await updateMail(store.db, row, { attempts, next_try });
      if (isGeneral) await postponeDue(store.db, now, next_try);
    }
    return !isGeneral;
  }

  async #giveUp(row: MailRow, reason: string, now: number): Promise<void> {
    const { store, log } = this.#options;
    const { account_id, resource_type, resource_id, recipient } = row;
    const isGone = await store.transaction(async (tx) => {
      if (!(await deleteMail(tx, row))) return false;
      const caller = { account_id, kind: "system" as const, id: "mail", name: "mail" };
      const resource = { id: resource_id, recipient, reason };
      await insertEntry(tx, activityEntry({ caller, address: "", log: [resource_type, "undelivered"], resource, now }));
      return true;
    });
    if (!isGone) return;
    this.#metrics?.givenUp();
    log.error({ mail: row.id, account: account_id, [resource_type]: resource_id, reason }, "a mail was given up");
  }
}
