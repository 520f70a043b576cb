/** Sends the mails queued in the store, in one process at a time; retries refused mails for up to three days. */
import type { Registry } from "prom-client";
import { type Clock, seconds } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import { type Loop, loop } from "../../../lib/loop.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import type { Store } from "../../../storage/db.ts";
import { releaseLease, takeLease } from "../../../storage/lease.ts";
import { activityEntry } from "../../write/activity/entry.ts";
import { insertEntry } from "../../write/activity/store.ts";
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
import { MailRefused, type MailTransport } from "./transport.ts";

export interface MailSenderOptions {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly transport: MailTransport;
  readonly registry?: Registry | undefined;
}

const leaseName = "mail";
/** Milliseconds; longer than sending a mail takes, so that no other process sends the same mail. */
const leaseFor = 60_000;
const sendWithin = 40_000;
/** Milliseconds between two searches for mails that other processes queued, and for mails to retry. */
const searchEvery = 5000;
/** The maximum number of mails that one search returns. */
const batch = 20;

/** Seconds until the next attempt: from ten up to an hour. */
const waitAfter = (attempts: number) => Math.min(3600, 10 * 2 ** (attempts - 1));
/** Seconds until a mail is given up; links in mails are not valid for longer. */
export const triesFor = 3 * 86_400;

export class MailSender {
  readonly #options: MailSenderOptions;
  readonly #loop: Loop;
  readonly #metrics: MailMetrics | undefined;
  /** The account of the mail that was sent last. */
  #last = "";

  constructor(options: MailSenderOptions) {
    const { registry, store, log } = options;
    this.#options = options;
    this.#metrics = registry && mailMetrics(registry, () => countMail(store.db));
    this.#loop = loop({
      turn: (signal) => this.#turn(signal),
      every: searchEvery,
      complain: (error) => log.warn({ reason: String(error) }, "waiting mails cannot be read; trying again"),
    });
  }

  /** To be called when a new mail was queued. */
  wake(): void {
    this.#loop.wake();
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Returns 0 when more mails may be due. The lease is held only while mails are sent. */
  async #turn(closing: AbortSignal): Promise<number | undefined> {
    const { store, clock } = this.#options;
    if (!(await isAnyDue(store.db, seconds(clock)))) return undefined;
    const lease = await takeLease(store.db, leaseName, store.holder, leaseFor);
    if (!lease) return undefined;
    try {
      // listed after the lease was taken: its last holder may have sent some of the mails
      const due = await listDue(store.db, seconds(clock), this.#last, batch);
      for (const key of due) {
        if (closing.aborted || !(await takeLease(store.db, leaseName, store.holder, leaseFor))) return undefined;
        this.#last = key.account_id;
        if (!(await this.#deliver(key, closing))) return undefined;
      }
      return due.length > 0 ? 0 : undefined;
    } finally {
      await releaseLease(store.db, lease);
    }
  }

  /** Returns false when the remaining mails should wait. */
  async #deliver(key: MailKey, closing: AbortSignal): Promise<boolean> {
    const row = await findMail(this.#options.store.db, key);
    // deleted since it was listed
    if (!row) return true;
    const refusal = await this.#send(row, closing);
    if (refusal === undefined) {
      await deleteMail(this.#options.store.db, row);
      this.#metrics?.sent();
    }
    if (refusal === undefined || closing.aborted) return refusal === undefined;
    return await this.#refused(row, refusal);
  }

  /** Returns undefined when the transport accepted the mail. Any error is a refusal, so a faulty mail stops no other. */
  async #send(row: MailRow, closing: AbortSignal): Promise<MailRefused | undefined> {
    const { secrets, transport } = this.#options;
    const signal = AbortSignal.any([closing, AbortSignal.timeout(sendWithin)]);
    try {
      await transport.send(row.id, openMail(secrets, row), signal);
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
