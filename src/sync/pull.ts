/** A subscription that pulls: a baseline first, then messages in order, through gaps and restarts of the source. */
import type { FollowerRegistry, Numeral, Page, Sequenced, StreamSource } from "./stream-source.ts";
import {
  type FollowOptions,
  type Position,
  StreamBroken,
  type StreamFollower,
  type Subscription,
} from "./subscription.ts";

export interface PullOptions<Baseline, Message> extends Pick<FollowOptions, "log" | "from"> {
  /** Connects, and calls `onNews` when there may be something new or the connection is lost. */
  readonly open: (onNews: () => void) => Promise<StreamSource<Baseline, Message>>;
  readonly follower: StreamFollower<Baseline, Message>;
  /** Whether a client may wait for the message, so that the follower reports at once that it has applied it. */
  readonly isUrgent?: (message: Message) => boolean;
  /** The name of the stream, for the log. */
  readonly subject: string;
  /** The reason of the source's failure, for the log. */
  readonly reasonOf: (error: unknown) => string;
}

/**
 * Milliseconds between two polls of a source that notifies. Polls find only messages whose writer ended before it could
 * notify followers, and connections that do not carry anything any more.
 */
const restingPause = 5000;
/** Milliseconds between two polls while the store does not know yet what the follower has applied. */
const settlingPause = 1000;
const shortestPause = 5;
const longestPause = 50;
const firstRetry = 50;
/** Short, because an edge answers from old data until it is connected to the store again. */
const longestRetry = 500;
/** Milliseconds between two reports of the revision, from which clients learn whether a change has reached every edge. */
const reportEvery = 1000;
/** The same for revisions that a client waits for. */
const reportUrgentEvery = 50;
/** A connected follower that checked within this time is current: a poll may take a second. */
const current = restingPause + 1000;

/** Follows until closed. Resolves when the first baseline has been taken, and rejects when the signal comes before. */
export async function pull<Baseline extends Numeral, Message extends Sequenced>(
  options: PullOptions<Baseline, Message>,
  signal: AbortSignal | undefined,
): Promise<Subscription> {
  const subscription = new PullSubscription(options);
  const abort = () => void subscription.close();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  try {
    await subscription.started;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  return subscription;
}

export class PullSubscription<Baseline extends Numeral, Message extends Sequenced> implements Subscription {
  revision = 0;
  store: string | undefined;
  /** The last revision that the follower was given; the follower may let some messages wait. */
  #given: Numeral = { revision: 0, mark: "" };
  /** The last applied revision, and all that were given after it. */
  #recent: Numeral[] = [];
  /** Resolves when the first baseline was taken, or none is needed; rejected when the subscription is closed before. */
  readonly started: Promise<void>;
  readonly #options: PullOptions<Baseline, Message>;
  #source: StreamSource<Baseline, Message> | undefined;
  #needsBaseline = true;
  #currentAt = performance.now();
  /** When the source was last asked: the reply is valid for this moment, however late it arrives. */
  #askedAt = performance.now();
  #reported = { revision: -1, at: Number.NEGATIVE_INFINITY };
  /** The last revision that a client waits for. */
  #urgent = -1;
  #hasNews = false;
  #closing = false;
  #leaving: Promise<void> | undefined;
  #interrupt: () => void = () => {};
  #running: Promise<void>;

  constructor(options: PullOptions<Baseline, Message>) {
    this.#options = options;
    if (options.from) this.#resume(options.from);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.started = promise;
    promise.catch(() => {});
    this.#running = this.#run(resolve).finally(() => reject(new Error("closed before the first baseline")));
  }

  get behind(): number {
    const since = performance.now() - this.#currentAt;
    return this.#source && since < current ? 0 : Math.round(since);
  }

  markOf(revision: number): string | undefined {
    return this.#recent.find((one) => one.revision === revision)?.mark;
  }

  async close(): Promise<void> {
    this.#closing = true;
    const source = this.#source;
    this.#leaving = Promise.race([source?.registry?.forget().catch(() => {}), pause(500)]);
    this.#interrupt();
    await this.#leaving;
    // a statement under way is not waited for
    source?.end();
    await this.#running;
  }

  async #run(started: () => void): Promise<void> {
    let retry = firstRetry;
    let failures = 0;
    while (!this.#closing) {
      try {
        this.#source = await this.#options.open(() => this.#onNews());
        const store = await this.#source.store();
        if (this.store !== undefined && this.store !== store) this.#needsBaseline = true;
        if (this.#needsBaseline) await this.#start(this.#source);
        this.store = store;
        started();
        if (failures > 0) this.#options.log.info({ ...this.#about(), failures }, "following the change stream again");
        retry = firstRetry;
        failures = 0;
        await this.#follow(this.#source);
      } catch (error) {
        if (this.#closing) break;
        if (error instanceof StreamBroken) this.#needsBaseline = true;
        this.#complain(error, failures++);
        await this.#sleep(retry);
        retry = Math.min(longestRetry, retry * 2);
      } finally {
        await this.#leaving;
        this.#source?.end();
        this.#source = undefined;
      }
    }
  }

  #resume({ revision, mark = "", store, currentAt }: Position): void {
    this.#advanceTo([{ revision, mark }]);
    this.store = store;
    this.#needsBaseline = store === undefined;
    this.#currentAt = performance.now() - Math.max(0, Date.now() - currentAt);
  }

  /** Logs the first failure as an error, and later ones at level debug while the store is unreachable. */
  #complain(error: unknown, before: number): void {
    const text = "following the change stream failed; trying again";
    const { log } = this.#options;
    const about = { ...this.#about(), reason: this.#options.reasonOf(error) };
    if (before === 0) log.error(about, text);
    else log.debug({ ...about, before }, text);
  }

  #about() {
    return { subject: this.#options.subject };
  }

  async #start(source: StreamSource<Baseline, Message>): Promise<void> {
    // reported before the baseline is read, so that the messages after it are kept
    if (source.registry) await source.registry.report((await source.head()).revision);
    await source.baseline(async (baseline) => {
      await this.#options.follower.start(baseline);
      this.#recent = [];
      this.#advanceTo([baseline]);
    });
    this.#needsBaseline = false;
    this.#options.log.debug({ ...this.#about(), revision: this.revision }, "took a baseline");
  }

  async #follow(source: StreamSource<Baseline, Message>): Promise<void> {
    let waited = shortestPause;
    let hasRested = false;
    for (;;) {
      const isQuiet = hasRested && !this.#hasNews;
      this.#hasNews = false;
      // without a notification there is usually nothing new, and asking for the head is enough
      const { messages, more } = isQuiet && (await this.#isAtHead(source)) ? nothing : await this.#advance(source);
      if (this.#closing) return;
      this.#checkFollower();
      if (source.registry) await this.#report(source.registry);
      if (more || this.#hasNews) continue;
      if (messages.length > 0) waited = shortestPause;
      await this.#sleep(source.notifies ? this.#restingPause(source) : waited);
      hasRested = source.notifies;
      waited = Math.min(longestPause, waited * 2);
    }
  }

  #restingPause({ registry }: StreamSource<Baseline, Message>): number {
    const isSettled = this.#isAllApplied() && (!registry || this.#reported.revision === this.revision);
    return isSettled ? restingPause : this.#isAwaited() ? reportUrgentEvery : settlingPause;
  }

  async #isAtHead(source: StreamSource<Baseline, Message>): Promise<boolean> {
    const isAtHead = isSame(await this.#ask(() => source.head()), this.#given);
    if (isAtHead) this.#isCurrent();
    return isAtHead;
  }

  /** Gives the next messages to the follower, and returns them. */
  async #advance(source: StreamSource<Baseline, Message>): Promise<Page<Message>> {
    const part = await this.#ask(() => source.read(this.#given.revision));
    const { messages, more } = part;
    if (messages.length === 0) {
      await this.#check(source);
      return part;
    }
    const { previous: revision, previous_mark: mark } = messages[0]!;
    if (revision !== this.#given.revision) throw new StreamBroken(`revisions after ${this.#given.revision} are gone`);
    if (mark !== this.#given.mark) throw new StreamBroken(wentBack(revision));
    await this.#apply(messages);
    this.#urgent = messages.findLast((one) => this.#options.isUrgent?.(one))?.revision ?? this.#urgent;
    this.#advanceTo(messages);
    if (!more) this.#isCurrent();
    return part;
  }

  /** No messages came: either there are none, or they were trimmed. */
  async #check(source: StreamSource<Baseline, Message>): Promise<void> {
    const head = await this.#ask(() => source.head());
    const { revision } = this.#given;
    const isBefore = head.revision < revision || (head.revision === revision && head.mark !== this.#given.mark);
    if (isBefore) throw new StreamBroken(wentBack(revision));
    if (head.revision === revision) this.#isCurrent();
    // numbered between the two checks, or trimmed
    else if ((await source.read(revision)).messages.length === 0)
      throw new StreamBroken(`revisions up to ${head.revision} are gone`);
    else this.#hasNews = true;
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    this.#askedAt = performance.now();
    return ask();
  }

  #advanceTo(given: readonly Numeral[]): void {
    this.#recent.push(...given.map(({ revision, mark }) => ({ revision, mark })));
    this.#given = this.#recent.at(-1)!;
    this.revision = this.#given.revision;
    this.#checkFollower();
  }

  #isAllApplied(): boolean {
    return this.revision === this.#given.revision;
  }

  #checkFollower(): void {
    const { follower } = this.#options;
    try {
      this.revision = follower.applied?.() ?? this.#given.revision;
      this.#recent = this.#recent.filter((one) => one.revision >= this.revision);
    } catch (error) {
      if (error instanceof StreamBroken) throw error;
      throw new StreamBroken(`a revision after ${this.revision} could not be applied: ${error}`);
    }
  }

  #isCurrent(): void {
    this.#checkFollower();
    if (this.#isAllApplied()) this.#currentAt = this.#askedAt;
  }

  async #apply(messages: readonly Message[]): Promise<void> {
    try {
      await this.#options.follower.apply(messages);
    } catch (error) {
      // the follower may have applied some of the messages: only a baseline is safe now
      throw new StreamBroken(`revision ${messages[0]!.revision} or later could not be applied: ${error}`);
    }
  }

  async #report(registry: FollowerRegistry): Promise<void> {
    const { revision, at } = this.#reported;
    const now = performance.now();
    if (revision === this.revision || now - at < (this.#isAwaited() ? reportUrgentEvery : reportEvery)) return;
    this.#reported = { revision: this.revision, at: now };
    await registry.report(this.revision);
  }

  #isAwaited(): boolean {
    return this.#urgent > this.#reported.revision;
  }

  #onNews() {
    this.#hasNews = true;
    this.#interrupt();
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    this.#interrupt = resolve;
    if (this.#closing) resolve();
    await promise;
    clearTimeout(timer);
    this.#interrupt = () => {};
  }
}

const isSame = (one: Numeral, other: Numeral) => one.revision === other.revision && one.mark === other.mark;

const wentBack = (revision: number) => `the store is not the one that gave revision ${revision}: it went back`;

const nothing: Page<never> = { messages: [], more: false };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
