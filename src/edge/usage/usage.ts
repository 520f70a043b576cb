/** Adds up the queries that workers received and reports them; reports that cannot be sent wait, up to a limit. */
import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";
import type { UsageCarrier, UsageReport } from "../../sync/usage.ts";
import { ImageUsage, type NumberedZones } from "./image-usage.ts";
import type { UsageReader } from "./reader.ts";

export interface UsageOptions {
  /** Name of this edge at its site. */
  readonly edge: string;
  readonly carrier: UsageCarrier;
  /** The reason of a carrier's failure, for the log. */
  readonly reasonOf: (error: unknown) => string;
  readonly clock: Clock;
  readonly log: Log;
}

export interface UsageStatus {
  /** Queries that no report contains, for lack of memory here or in a worker. */
  readonly lost: number;
  /** Reports that wait for the store. */
  readonly waiting: number;
  /** The zones with the most queries between the last two reports; the rate is in queries per second. */
  readonly zones: readonly { readonly zone: string; readonly rate: number }[];
}

const reportEvery = 10_000;
/** Longer than the interval of reports, because each report wakes the sending loop. */
const sendEvery = 2 * reportEvery;
/** Milliseconds between two checks for the end of the workers' batches. */
const checkEvery = 5;
/** Zones in a report; the other zones follow in the next reports. */
const mostZones = 20_000;
/** Rows in a report. */
const mostRows = 50_000;
/** Maximum rows that wait for the store; beyond that, the oldest reports are dropped. */
const mostWaiting = 300_000;
const mostReports = 1000;

export class EdgeUsage {
  readonly #options: UsageOptions;
  readonly #boot = newId();
  readonly #reporting: Loop;
  readonly #sending: Loop;
  readonly #waiting: UsageReport[] = [];
  #image: ImageUsage | undefined;
  /** Counts of earlier images, which workers may still use. */
  #former: ImageUsage[] = [];
  #sequence = 0;
  #lost = 0;
  #zones: UsageStatus["zones"] = [];

  constructor(options: UsageOptions) {
    this.#options = options;
    const { log, reasonOf } = options;
    this.#reporting = loop({
      turn: () => this.#report(),
      every: reportEvery,
      first: reportEvery,
      complain: (error) => log.error({ reason: String(error) }, "queries could not be counted"),
    });
    this.#sending = loop({
      turn: () => this.#send(),
      every: sendEvery,
      first: sendEvery,
      complain: (error) => log.warn({ reason: reasonOf(error) }, "reports of queries wait for the store"),
    });
  }

  status(): UsageStatus {
    return { lost: this.#lost, waiting: this.#waiting.length, zones: this.#zones };
  }

  /** Begins to count for another image: workers use its zone numbers as soon as they answer from it. */
  begin(image: NumberedZones, readers: readonly UsageReader[]): void {
    if (this.#image) this.#former.push(this.#image);
    this.#image = new ImageUsage(image, readers);
  }

  /** After the workers have ended: reports the rest, if the store takes it now. */
  async close(): Promise<void> {
    await this.#reporting.close();
    await this.#sending.close();
    for (const image of this.#images()) {
      image.swap();
      this.#queue(image, mostWaiting);
    }
    // an unreachable store gets no report of the last seconds
    await this.#send().catch(() => {});
    this.#options.carrier.close();
  }

  #images(): ImageUsage[] {
    return this.#image ? [...this.#former, this.#image] : this.#former;
  }

  async #report(): Promise<void> {
    const images = this.#images();
    const former = this.#former;
    this.#former = [];
    for (const image of images) image.swap();
    // a batch takes less than a millisecond, and a worker that stays in one is replaced
    while (images.some((image) => !image.hasPassed())) await delay(checkEvery);
    this.#zones = [];
    for (const image of images) this.#queue(image, former.includes(image) ? mostWaiting : mostZones);
    this.#sending.wake();
  }

  #queue(image: ImageUsage, most: number): void {
    const { lost, busiest } = image.read();
    this.#lost += lost;
    if (busiest.length > 0)
      this.#zones = busiest.map(({ zone, queries }) => ({ zone, rate: (queries * 1000) / reportEvery }));
    const rows = image.rows(most);
    let rest = { mix: image.mix(), missing: image.missing() };
    const { edge, clock } = this.#options;
    for (let from = 0; from < rows.length || rest.mix.length + rest.missing.length > 0; from += mostRows) {
      const part = { rows: rows.slice(from, from + mostRows), ...rest };
      this.#waiting.push({ edge, boot: this.#boot, sequence: ++this.#sequence, at: seconds(clock), ...part });
      rest = { mix: [], missing: [] };
    }
    this.#makeRoom();
  }

  #makeRoom(): void {
    let rows = this.#waiting.reduce((sum, report) => sum + sizeOf(report), 0);
    // the first report may be under way
    while (this.#waiting.length > 2 && (rows > mostWaiting || this.#waiting.length > mostReports)) {
      const [dropped] = this.#waiting.splice(1, 1);
      rows -= sizeOf(dropped!);
      this.#lost += dropped!.rows.reduce((sum, { queries }) => sum + queries, 0);
    }
  }

  /** Sends reports in order, each again until the store is known to have it. */
  async #send(): Promise<void> {
    for (let report = this.#waiting[0]; report; report = this.#waiting[0]) {
      await this.#options.carrier.send(report);
      this.#waiting.shift();
    }
  }
}

const sizeOf = ({ rows, mix, missing }: UsageReport) => rows.length + mix.length + missing.length;
