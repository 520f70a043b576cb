/** Sends the mails that wait in the store, in one process at a time; a mail that is refused is tried again for three days. */
import type { Registry } from "prom-client";
import { type Clock, seconds } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
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
/** Milliseconds; a mail takes less, so that no other process sends it meanwhile. */
const leaseFor = 60_000;
const sendWithin = 40_000;
/** Milliseconds between two looks for mails of other processes, and for mails to be tried again. */
const lookEvery = 5000;
/** Mails in one look. */
const batch = 20;

/** Seconds to the next try, which grow from ten to an hour. */
const waitAfter = (attempts: number) => Math.min(3600, 10 * 2 ** (attempts - 1));
/** Seconds after which a mail is given up, since links in mails are not valid for longer. */
export const triesFor = 3 * 86_400;

export class Postman {
  readonly #options: PostmanOptions;
  readonly #holder = newId();
  readonly #loop: Loop;
  readonly #metrics: MailMetrics | undefined;
  /** The account of the mail that was sent last. */
  #last = "";

  constructor(options: PostmanOptions) {
    const { registry, store, log } = options;
    this.#options = options;
    this.#metrics = registry && mailMetrics(registry, () => countMail(store.db));
    this.#loop = loop({
      turn: (signal) => this.#turn(signal),
      every: lookEvery,
      complain: (error) => log.warn({ reason: String(error) }, "waiting mails cannot be read; trying again"),
    });
  }

  /** Reports a new mail. */
  wake(): void {
    this.#loop.wake();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Returns 0 when there may be more to be sent at once. The lease is held while there are mails only. */
  async #turn(closing: AbortSignal): Promise<number | undefined> {
    const { store, clock } = this.#options;
    if (!(await isAnyDue(store.db, seconds(clock)))) return undefined;
    const lease = await takeLease(store.db, leaseName, this.#holder, leaseFor);
    if (!lease) return undefined;
    try {
      // looked for again: the process that had the lease before may have sent them
      const due = await listDue(store.db, seconds(clock), this.#last, batch);
      for (const key of due) {
        if (closing.aborted || !(await takeLease(store.db, leaseName, this.#holder, leaseFor))) return undefined;
        this.#last = key.account_id;
        if (!(await this.#deliver(key, closing))) return undefined;
      }
      return due.length > 0 ? 0 : undefined;
    } finally {
      await releaseLease(store.db, lease);
    }
  }

  /** False when the mails after it had better wait. */
  async #deliver(key: MailKey, closing: AbortSignal): Promise<boolean> {
    const row = await findMail(this.#options.store.db, key);
    // withdrawn since it was listed
    if (!row) return true;
    const refusal = await this.#send(row, closing);
    if (refusal === undefined) {
      await deleteMail(this.#options.store.db, row);
      this.#metrics?.sent();
    }
    if (refusal === undefined || closing.aborted) return refusal === undefined;
    return await this.#refused(row, refusal);
  }

  /** Undefined when the carrier accepted it. A fault of one mail, which cannot be opened for instance, stops no other. */
  async #send(row: MailRow, closing: AbortSignal): Promise<MailRefused | undefined> {
    const { secrets, carrier } = this.#options;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(sendWithin)]);
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
      log.warn({ mail: row.id, account: row.account_id, attempts, reason }, "a mail was refused; trying again");
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
