/** Adds up what the workers were asked, and reports it to the store; keeps what cannot be sent, up to a bound. */
import type { Clock } from "../lib/clock.ts";
import { seconds } from "../lib/clock.ts";
import { newId } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { UsageCarrier, UsageReport, UsageRow } from "../sync/usage.ts";
import type { UsageReader } from "./usage-table.ts";

export interface UsageOptions {
  /** Under which the store knows this edge. */
  readonly edge: string;
  readonly readers: readonly UsageReader[];
  readonly carrier: UsageCarrier;
  readonly clock: Clock;
  readonly log: Log;
}

export interface UsageStatus {
  /** Queries that no report tells of: for want of room, here or in a worker. */
  readonly lost: number;
  /** Reports that wait for the store. */
  readonly waiting: number;
  /** Those with the most queries between the last reports; queries a second. */
  readonly zones: readonly { readonly zone: string; readonly rate: number }[];
}

const drainEvery = 1000;
/** Drains to a report. */
const drainsPerReport = 10;
/** Records of one report; queries for others count for their zones. */
const mostRecords = 20_000;
const mostRows = 30_000;
/** Rows that wait for the store; the oldest reports make room. */
const mostWaiting = 300_000;
const mostReports = 1000;
const mostZones = 20;

export class EdgeUsage {
  readonly #options: UsageOptions;
  readonly #boot = newId();
  readonly #timer: NodeJS.Timeout;
  readonly #waiting: UsageReport[] = [];
  #rows = new Map<string, UsageRow>();
  #sequence = 0;
  #drains = 0;
  #lost = 0;
  #zones: UsageStatus["zones"] = [];
  #sending: Promise<void> | undefined;
  #isAway = false;

  constructor(options: UsageOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#tick(), drainEvery).unref();
  }

  status(): UsageStatus {
    return { lost: this.#lost, waiting: this.#waiting.length, zones: this.#zones };
  }

  /** After the workers have ended: reports the rest, if the store takes it now. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sending;
    // the second time for what a batch under way kept from the first
    for (let turn = 0; turn < 2; turn++) this.#drain();
    this.#report();
    await this.#send();
    this.#options.carrier.close();
  }

  #tick(): void {
    this.#drain();
    if (++this.#drains % drainsPerReport !== 0) return;
    this.#report();
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  #drain(): void {
    for (const reader of this.#options.readers) this.#lost += reader.drain((row) => this.#add(row));
  }

  #add(row: UsageRow): void {
    const key = `${row.zone}/${row.domain}/${row.type}`;
    const before = this.#rows.get(key);
    if (before) this.#rows.set(key, { ...before, queries: before.queries + row.queries });
    else if (this.#rows.size < (row.domain === "" ? mostRows : mostRecords)) this.#rows.set(key, row);
    else if (row.domain === "") this.#lost += row.queries;
    else this.#add({ ...row, domain: "", type: "" });
  }

  #report(): void {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#zones = busiest(rows);
    if (rows.length === 0) return;
    const { edge, clock } = this.#options;
    this.#waiting.push({ edge, boot: this.#boot, sequence: ++this.#sequence, at: seconds(clock), rows });
    this.#makeRoom();
  }

  #makeRoom(): void {
    let rows = this.#waiting.reduce((sum, report) => sum + report.rows.length, 0);
    // the first may be on its way
    while (this.#waiting.length > 2 && (rows > mostWaiting || this.#waiting.length > mostReports)) {
      const [dropped] = this.#waiting.splice(1, 1);
      rows -= dropped!.rows.length;
      this.#lost += dropped!.rows.reduce((sum, { queries }) => sum + queries, 0);
    }
  }

  /** In order, each until it is known to be there. */
  async #send(): Promise<void> {
    const { carrier, log } = this.#options;
    try {
      for (let report = this.#waiting[0]; report; report = this.#waiting[0]) {
        await carrier.send(report);
        this.#waiting.shift();
      }
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) log.warn({ reason: String(error) }, "reports of queries wait for the store");
      this.#isAway = true;
    }
  }
}

function busiest(rows: readonly UsageRow[]): UsageStatus["zones"] {
  const zones = new Map<string, number>();
  for (const { zone, queries } of rows) zones.set(zone, (zones.get(zone) ?? 0) + queries);
  return [...zones]
    .map(([zone, queries]) => ({ zone, rate: (queries * 1000) / (drainEvery * drainsPerReport) }))
    .sort((a, b) => b.rate - a.rate)
    .slice(0, mostZones);
}
