/** Imports: one goes on at a time, accounts take turns, and what became of those that nobody waited for stands in the store. */

import { type Clock, seconds } from "../../lib/clock.ts";
import { Queue } from "../../lib/fair/line.ts";
import type { Traffic } from "../../lib/fair/pace.ts";
import { Places } from "../../lib/fair/slots.ts";
import { usualLeast } from "../../lib/fair/speed.ts";
import type { Content } from "../../lib/files/spool.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import { Problem, unavailable } from "../../lib/problem.ts";
import type { Store } from "../../storage/db.ts";
import { clearAbandoned } from "../../storage/loads.ts";
import { Presence } from "../../storage/presence.ts";
import { type ImportPlace, ImportPlaces } from "./import-places.ts";
import { limits } from "./reading/limits.ts";
import type { ImportJob } from "./schema.ts";
import { findJob, forgetJobs, insertJob, type JobRow, settleJobs, updateJob } from "./store.ts";
import type { WrittenZone } from "./write.ts";

/** Told what goes on, and the part of all that is done in percent. */
export type Report = (status: string, percent: number) => void;

export interface ImportsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Where files are kept while they are read. */
  readonly directory: string;
  /** Requests, for which imports leave room. */
  readonly traffic: Traffic;
}

/** Who asks for a job that its process left has it settled at once. */
const settleEvery = 30_000;
const reportEvery = 500;

export class Imports {
  readonly store: Store;
  readonly directory: string;
  readonly traffic: Traffic;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closing = new AbortController();
  readonly #places = new ImportPlaces(limits.imports, usualLeast);
  readonly #exports = new Places(limits.exports, "too many exports are being written or sent");
  readonly #exportsWritten = new Places(limits.exportsWritten, "too many exports are being written");
  /** Jobs without an outcome in the store. */
  readonly #open = new Set<Promise<unknown>>();
  readonly #settling: Loop;
  readonly #queue = new Queue();

  constructor({ store, clock, log, directory, traffic }: ImportsOptions) {
    this.store = store;
    this.traffic = traffic;
    this.directory = directory;
    this.signal = this.#closing.signal;
    this.#clock = clock;
    this.#log = log;
    this.#settling = loop({
      turn: () => this.#settle(),
      every: settleEvery,
      complain: (error) => log.debug({ reason: String(error) }, "the remains of imports were not cleared away"),
    });
  }

  /** A place, to be given back. Throws `unavailable` when there is none. */
  enter(account_id: string): ImportPlace {
    return this.#places.enter(account_id);
  }

  /** The file that `write` makes, which has its place until it is closed. Throws `unavailable` when there is none. */
  async export(account_id: string, write: () => Promise<Content>): Promise<Content> {
    const leave = this.#exports.enter(account_id);
    try {
      const file = await this.#written(account_id, write);
      return { ...file, close: () => file.close().finally(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #written(account_id: string, write: () => Promise<Content>): Promise<Content> {
    const leave = this.#exportsWritten.enter(account_id);
    return await write().finally(leave);
  }

  /** Runs an import when it is the account's turn. */
  run<T>(account_id: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(account_id, async () => {
      this.signal.throwIfAborted();
      return await work();
    });
  }

  /**
   * Begins an import that nobody waits for. `work` throws no more than Problems that its client may read; it is not
   * called when this throws.
   */
  async start(account_id: string, zone: string, work: (report: Report) => Promise<WrittenZone>): Promise<ImportJob> {
    const { db } = this.store;
    const presence = await Presence.begin(db);
    const { holder } = presence;
    const job = { account_id, id: newId(), zone, sent: seconds(this.#clock), percent: 0, status: "waiting", holder };
    await insertJob(db, job).catch(async (error) => {
      await presence.end().catch(() => {});
      throw error;
    });
    const ended = this.run(account_id, () => work(this.#reporter(job)))
      .then(
        ({ reply, count }) => ({ code: 200, status: `created zone ${zone} with ${count} records`, response: reply }),
        (error: unknown) => this.#failure(error),
      )
      .then(({ code, status, response }) => updateJob(db, job, { percent: 100, status, response_code: code, response }))
      // what stays without an outcome is abandoned now, and gets one
      .catch((error: unknown) => this.#log.error({ reason: String(error) }, "an import's outcome was not stored"))
      .finally(() => presence.end().catch(() => {}))
      .finally(() => this.#open.delete(ended));
    this.#open.add(ended);
    return present({ ...job, response_code: null, response: null });
  }

  /** A job of the account, while it is known. */
  async find(account_id: string, id: string): Promise<{ readonly zone: string; readonly job: ImportJob } | undefined> {
    const { db } = this.store;
    const key = { account_id, id };
    let row = await findJob(db, key);
    if (row?.response_code === null && (await this.#settleJobs()) > 0) row = await findJob(db, key);
    return row && { zone: row.zone, job: present(row) };
  }

  /** Clears away what processes left that have ended. */
  async #settle(): Promise<void> {
    await this.#settleJobs();
    await forgetJobs(this.store.db, seconds(this.#clock) - limits.kept);
    await clearAbandoned(this.store.db);
  }

  /** Ends the import under way, and those that wait. */
  async close(): Promise<void> {
    this.#closing.abort(interrupted());
    await this.#settling.close();
    await this.#queue.end();
    await Promise.all(this.#open);
  }

  /** How many jobs were without anybody who goes on with them. */
  #settleJobs(): Promise<number> {
    const { message, code, status } = interrupted();
    const outcome = { status: `error: ${message}`, response_code: status, response: { message, code } };
    return settleJobs(this.store.db, outcome);
  }

  #reporter(job: Pick<JobRow, "account_id" | "id">): Report {
    let next = 0;
    return (status, percent) => {
      if (performance.now() < next) return;
      next = performance.now() + reportEvery;
      updateJob(this.store.db, job, { status, percent: Math.min(99, Math.floor(percent)) }).catch(() => {});
    };
  }

  #failure(error: unknown): { code: number; status: string; response: object } {
    if (!(error instanceof Problem)) this.#log.error({ reason: String(error) }, "an import failed");
    const problem = error instanceof Problem ? error : new Problem("internal", "the import failed");
    const { code, message, details, status } = problem;
    return { code: status, status: `error: ${message}`, response: { message, code, ...(details ? { details } : {}) } };
  }
}

const interrupted = () => unavailable("the import was interrupted and has left nothing: send the file again");

const present = ({
  id,
  sent,
  percent,
  status,
  response_code,
  response,
}: Omit<JobRow, "zone" | "holder">): ImportJob => ({
  id,
  sent,
  type: "importzonefile",
  percent,
  status,
  result: response_code === null ? null : response_code === 200 ? "success" : "error",
  ...(response_code === null ? {} : { response_code, response: response ?? {} }),
});
