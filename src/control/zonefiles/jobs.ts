/** Imports: each account runs one at a time, slices of different accounts take turns, and the outcomes of asynchronous imports are in the store. */
import { type Clock, seconds } from "../../lib/clock.ts";
import { MeasuredInput, usualFloor } from "../../lib/fair/measured-input.ts";
import { Slots } from "../../lib/fair/slots.ts";
import type { Traffic } from "../../lib/fair/yield.ts";
import { type Content, occupying, type Spool, spool, spoolFor } from "../../lib/files/spool.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import { Problem, unavailable } from "../../lib/problem.ts";
import type { Store } from "../../storage/db.ts";
import { clearAbandoned } from "../../storage/loads.ts";
import { Presence } from "../../storage/presence.ts";
import type { Ctx } from "../write/context.ts";
import { fileLimits } from "./reading/limits.ts";
import type { ImportJob } from "./schema.ts";
import { findJob, forgetJobs, insertJob, type JobRow, settleJobs, updateJob } from "./store.ts";
import type { WrittenZone } from "./write.ts";

export interface ZoneFileServices {
  readonly imports: Imports;
}

export type ZoneFileCtx = Ctx & ZoneFileServices;

/** The slot of a file that is on its way. */
export interface FilePlace {
  readonly input: MeasuredInput;
  readonly write: (pieces: AsyncIterable<Uint8Array>) => Promise<Spool>;
  readonly leave: () => void;
}

/** What an asynchronous import is about. */
type JobSubject = Pick<ImportJob, "type"> & { readonly zone: string };

/** Called with the current step and the share of the work that is done, in percent. */
export type Report = (status: string, percent: number) => void;

export interface ImportsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** The directory of files while they are read. */
  readonly directory: string;
  /** Requests, to which imports give way. */
  readonly traffic: Traffic;
}

/** A request for a job whose process has ended settles the job without waiting for this interval. */
const settleEvery = 30_000;
const reportEvery = 500;

export class Imports {
  readonly store: Store;
  readonly traffic: Traffic;
  /** Aborted when the service stops. */
  readonly signal: AbortSignal;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #directory: string;
  readonly #closing = new AbortController();
  readonly #imports = new Slots(fileLimits.imports);
  readonly #running = new Slots(fileLimits.importsRunning);
  readonly #slices = new Slots({ all: 1, own: 1, waiting: { all: fileLimits.importsRunning.most } });
  readonly #exports = new Slots(fileLimits.exports);
  readonly #exportsWritten = new Slots(fileLimits.exportsWritten);
  /** The running imports. */
  readonly #work = new Set<Promise<unknown>>();
  /** Jobs without an outcome in the store. */
  readonly #open = new Set<Promise<unknown>>();
  readonly #settling: Loop;

  constructor({ store, clock, log, directory, traffic }: ImportsOptions) {
    this.store = store;
    this.traffic = traffic;
    this.signal = this.#closing.signal;
    this.#clock = clock;
    this.#log = log;
    this.#directory = directory;
    this.#settling = loop({
      turn: () => this.#settle(),
      every: settleEvery,
      complain: (error) => log.debug({ reason: String(error) }, "data of abandoned imports could not be removed"),
    });
  }

  /**
   * Receives a file, which holds a slot from its first octet until it is closed. Throws `unavailable` when no slot is
   * free, or when another account has taken the slot.
   */
  async receive(account_id: string, pieces: AsyncIterable<Uint8Array>): Promise<Spool> {
    const place = this.reserve(account_id, new MeasuredInput(usualFloor, tooSlow));
    return await occupying(place, () => place.write(place.input.pieces(pieces)));
  }

  /** Takes a slot for a file that comes from `input`. Throws `unavailable` when no slot is free. */
  reserve(account_id: string, input: MeasuredInput): FilePlace {
    const slot = this.#imports.take(account_id, { holder: input });
    if (!slot) throw tooManyImports();
    return { input, write: (pieces) => spool(this.#directory, pieces), leave: () => slot.leave() };
  }

  /** Writes a file, which holds a slot until it is closed. Throws `unavailable` when no slot is free. */
  async export(account_id: string, pieces: () => AsyncIterable<Uint8Array>): Promise<Content> {
    const slot = this.#exports.take(account_id);
    if (!slot) throw unavailable("too many exports are being written or sent");
    return await occupying(slot, async () => {
      const writing = this.#exportsWritten.take(account_id);
      if (!writing) throw unavailable("too many exports are being written");
      return await spoolFor(this.#directory, pieces()).finally(() => writing.leave());
    });
  }

  /** Imports a file when it is the account's turn, and closes it in any case. */
  async run<T>(account_id: string, file: Spool, work: () => Promise<T>): Promise<T> {
    const slot = await this.#running.wait(account_id);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    try {
      if (!slot) throw tooManyImports();
      this.signal.throwIfAborted();
      this.#work.add(ended);
      return await work();
    } finally {
      this.#work.delete(ended);
      end();
      slot?.leave();
      await file.close();
    }
  }

  /** Writes a slice of an import when it is the account's turn. */
  async inTurn(account_id: string, write: () => Promise<void>): Promise<void> {
    const slot = await this.#slices.wait(account_id);
    try {
      this.signal.throwIfAborted();
      await write();
    } finally {
      slot?.leave();
    }
  }

  /**
   * Begins an asynchronous import. `held` is given back if it cannot begin; otherwise `work` does so. `work` throws only
   * Problems that the client may read.
   */
  async start(
    account_id: string,
    { zone, type }: JobSubject,
    held: { close(): unknown },
    work: (report: Report) => Promise<WrittenZone>,
  ): Promise<ImportJob> {
    const { db } = this.store;
    await using unstored = new AsyncDisposableStack();
    unstored.defer(async () => void (await held.close()));
    const presence = unstored.adopt(await Presence.begin(db), (begun) => begun.end().catch(() => {}));
    const { holder } = presence;
    const sent = seconds(this.#clock);
    const job = { account_id, id: newId(), zone, type, sent, percent: 0, status: "waiting", holder };
    await insertJob(db, job);
    unstored.move();
    const ended = work(this.#reporter(job))
      .then(
        ({ reply, count }) => ({
          code: 200,
          status: `created zone ${zone} with ${count} ${count === 1 ? "record" : "records"}`,
          response: reply,
        }),
        (error: unknown) => this.#failure(error),
      )
      .then(({ code, status, response }) => updateJob(db, job, { percent: 100, status, response_code: code, response }))
      // a job without a stored outcome is abandoned now, and settled later
      .catch((error: unknown) =>
        this.#log.error({ reason: String(error) }, "the outcome of an import could not be stored"),
      )
      .finally(() => presence.end().catch(() => {}))
      .finally(() => this.#open.delete(ended));
    this.#open.add(ended);
    return present({ ...job, response_code: null, response: null });
  }

  /** Returns a job of the account; undefined when it is unknown or has been removed. */
  async find(account_id: string, id: string): Promise<{ readonly zone: string; readonly job: ImportJob } | undefined> {
    const { db } = this.store;
    const key = { account_id, id };
    let row = await findJob(db, key);
    if (row?.response_code === null && (await this.#settleJobs()) > 0) row = await findJob(db, key);
    return row && { zone: row.zone, job: present(row) };
  }

  /** Settles the jobs and removes the data of processes that have ended. */
  async #settle(): Promise<void> {
    await this.#settleJobs();
    await forgetJobs(this.store.db, seconds(this.#clock) - fileLimits.kept);
    await clearAbandoned(this.store.db);
  }

  /** Ends the running imports and the waiting ones. */
  async close(): Promise<void> {
    this.#closing.abort(interrupted());
    await this.#settling.close();
    await Promise.all(this.#work);
    await Promise.all(this.#open);
  }

  /** Returns the number of jobs whose process had ended. */
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

const tooManyImports = () => unavailable("too many imports are waiting");

const tooSlow = () => unavailable("the file was sent too slowly while other files waited for its slot: send it again");

const interrupted = () => unavailable("the import was interrupted and nothing was imported: send the file again");

function present(row: Omit<JobRow, "zone" | "holder">): ImportJob {
  const { id, sent, type, percent, status, response_code, response } = row;
  const result = response_code === null ? null : response_code === 200 ? "success" : "error";
  const outcome = response_code === null ? {} : { response_code, response: response ?? {} };
  return { id, sent, type, percent, status, result, ...outcome };
}
