/** A worker's reports of faults: of each kind, at most one a second. */
import type { Trail } from "../../answer/lookup/lookup.ts";
import type { WorkerReport } from "./messages.ts";

const pause = 1000;

export class FaultReports {
  readonly #report: (message: WorkerReport) => void;
  /** Faults since the last report. */
  #count = 0;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #dataReportedAt = Number.NEGATIVE_INFINITY;

  constructor(report: (message: WorkerReport) => void) {
    this.#report = report;
  }

  /** A query failed. */
  query(error: unknown): void {
    this.#count++;
    const now = performance.now();
    if (now - this.#reportedAt < pause) return;
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#report({ kind: "faults", count: this.#count, error: text });
    this.#count = 0;
    this.#reportedAt = now;
  }

  /** The data at the engine's position make every query for them fail. */
  data([data = 0, name = 0]: Trail): void {
    const now = performance.now();
    if (now - this.#dataReportedAt < pause) return;
    this.#dataReportedAt = now;
    this.#report({ kind: "data-fault", fault: { data, name, how: "throws" } });
  }
}
