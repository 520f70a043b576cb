/** Imports of this process: one goes on at a time, a few wait, and what became of those that nobody waited for is kept. */
import { type Clock, seconds } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import { Problem, unavailable } from "../../lib/problem.ts";
import { limits } from "./limits.ts";
import type { ImportJob } from "./schema.ts";
import type { WrittenZone } from "./write.ts";

/** Told what goes on, and the part of all that is done in percent. */
export type Report = (status: string, percent: number) => void;

interface Job {
  readonly account_id: string;
  readonly zone: string;
  readonly sent: number;
  percent: number;
  status: string;
  outcome: { readonly code: number; readonly response: object } | undefined;
}

export class Imports {
  readonly #clock: Clock;
  readonly #jobs = new Map<string, Job>();
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Runs an import when those before it are through. Throws `unavailable` when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting > limits.waiting) throw unavailable("too many imports are waiting");
    this.#waiting += 1;
    const result = this.#last.then(work).finally(() => {
      this.#waiting -= 1;
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /** Begins an import that nobody waits for. */
  start(account_id: string, zone: string, work: (report: Report) => Promise<WrittenZone>): ImportJob {
    const job: Job = {
      account_id,
      zone,
      sent: seconds(this.#clock),
      percent: 0,
      status: "waiting",
      outcome: undefined,
    };
    const report: Report = (status, percent) => {
      job.status = status;
      job.percent = Math.min(99, Math.max(job.percent, Math.floor(percent)));
    };
    const running = this.run(() => work(report));
    const id = newId();
    this.#jobs.set(id, job);
    this.#forgetOldest();
    running.then(
      ({ reply, count }) => finish(job, 200, `created zone ${zone} with ${count} records`, reply),
      (error: unknown) => {
        const problem = error instanceof Problem ? error : new Problem("internal", "the import failed");
        const { code, message, details, status } = problem;
        finish(job, status, `error: ${message}`, { message, code, ...(details ? { details } : {}) });
      },
    );
    return present(id, job);
  }

  /** A job of the account, while it is known. */
  find(account_id: string, id: string): { readonly zone: string; readonly job: ImportJob } | undefined {
    const job = this.#jobs.get(id);
    return job?.account_id === account_id ? { zone: job.zone, job: present(id, job) } : undefined;
  }

  #forgetOldest(): void {
    const finished = [...this.#jobs].filter(([, job]) => job.outcome !== undefined);
    for (const [id] of finished.slice(0, Math.max(0, finished.length - limits.jobs))) this.#jobs.delete(id);
  }
}

function finish(job: Job, code: number, status: string, response: object): void {
  job.percent = 100;
  job.status = status;
  job.outcome = { code, response };
}

const present = (id: string, { sent, percent, status, outcome }: Job): ImportJob => ({
  id,
  sent,
  type: "importzonefile",
  percent,
  status,
  result: outcome === undefined ? null : outcome.code === 200 ? "success" : "error",
  ...(outcome === undefined ? {} : { response_code: outcome.code, response: outcome.response }),
});
