/** A subscription that pulls: baseline first, then messages in order, through gaps and through the source's restarts. */
import type { Log } from "../lib/log.ts";
import { reasonOf } from "./failure-postgres.ts";

/** What every message of a stream tells about its place: revisions have no gaps in one subject. */
interface Placed {
  readonly revision: number;
  /** The revision before this one. */
  readonly previous: number;
}

/** Whoever applies a stream: first `start` with a baseline, then `apply` in order; `start` again after a gap. */
export interface StreamFollower<Baseline, Message> {
  start(baseline: Baseline): Promise<void>;
  apply(messages: readonly Message[]): Promise<void> | void;
  /**
   * For one that lets messages wait: the revision up to which all are applied, which is what the store is told. Throws
   * when one that waits cannot be applied any more.
   */
  applied?(): number | undefined;
}

/** Where a follower was before it ended. */
export interface Place {
  readonly revision: number;
  /** Of which store; a baseline is taken from one that is another, or that was not known. */
  readonly store: string | undefined;
  /** Unix milliseconds at which the follower was known to be current. */
  readonly currentAt: number;
}

/** A running subscription. */
export interface Subscription {
  /** Revision up to which everything is applied. */
  readonly revision: number;
  /** The store that the last baseline is from; undefined when it does not tell. */
  readonly store: string | undefined;
  /** Milliseconds since the carrier was last known to be current; 0 when it is. */
  readonly behind: number;
  close(): Promise<void>;
}

/** An open connection to where the stream is kept. Every method fails once the connection is gone. */
export interface Source<Baseline, Message> {
  /** Whether it calls `notice` when there is something new; if not, it is asked more often. */
  readonly tells: boolean;
  /** Which store this is: no other one answers the same. Undefined when it does not tell. */
  store(): Promise<string | undefined>;
  /** The revision given last. */
  head(): Promise<number>;
  /** The next messages after a revision, in order. Throws `StreamBroken` when a stored message is damaged. */
  read(after: number): Promise<Part<Message>>;
  /** Calls `take` with everything at one revision. */
  baseline(take: (baseline: Baseline) => Promise<void>): Promise<void>;
  /** Where the store keeps books on its followers, so that what they have not passed is not trimmed. */
  readonly books?: Books;
  /** Drops the connection without waiting for anything. */
  end(): void;
}

/** As many messages as are handled at once. */
export interface Part<Message> {
  readonly messages: readonly Message[];
  /** Whether there may be others behind them already. */
  readonly more: boolean;
}

export interface Books {
  /** Says how far this follower is. */
  report(revision: number): Promise<void>;
  /** Takes this follower off the books. */
  forget(): Promise<void>;
}

/** The stream cannot be continued from where the follower is: it needs a new baseline. */
export class StreamBroken extends Error {}

const restingPause = 500;
const shortestPause = 5;
const longestPause = 50;
const firstRetry = 50;
/** Short: until it has the store again, an edge answers with what it had. */
const longestRetry = 500;
/** Clients ask whether a change is at every edge. */
const reportEvery = 1000;
/** Within this time since the last look, nothing can have been missed that would count as being behind. */
const current = 2000;

export interface PullOptions<Baseline, Message> {
  /** Connects, and calls `notice` when there may be something new or the connection is lost. */
  readonly open: (notice: () => void) => Promise<Source<Baseline, Message>>;
  readonly follower: StreamFollower<Baseline, Message>;
  /** What the stream carries, for the log. */
  readonly subject: string;
  readonly log: Log;
  /** Goes on from here when it can. */
  readonly from?: Place | undefined;
}

export class PullSubscription<Baseline extends Pick<Placed, "revision">, Message extends Placed>
  implements Subscription
{
  revision = 0;
  store: string | undefined;
  /** What the follower was given last; it may let some of it wait. */
  #given = 0;
  /** The first baseline was taken, or none is needed; rejected when the subscription is closed before. */
  readonly started: Promise<void>;
  readonly #options: PullOptions<Baseline, Message>;
  #source: Source<Baseline, Message> | undefined;
  #needsBaseline = true;
  #currentAt = performance.now();
  /** When the look under way began: what it brings was true then, however long it is on its way. */
  #lookedAt = performance.now();
  #reported = { revision: -1, at: Number.NEGATIVE_INFINITY };
  #noticed = false;
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
    return since < current ? 0 : Math.round(since);
  }

  async close(): Promise<void> {
    this.#closing = true;
    const source = this.#source;
    this.#leaving = Promise.race([source?.books?.forget().catch(() => {}), pause(500)]);
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
        this.#source = await this.#options.open(() => this.#notice());
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

  #resume({ revision, store, currentAt }: Place): void {
    this.#advanceTo(revision);
    this.store = store;
    this.#needsBaseline = store === undefined;
    this.#currentAt = performance.now() - Math.max(0, Date.now() - currentAt);
  }

  /** Once loudly, and not again at each try while the store stays away. */
  #complain(error: unknown, before: number): void {
    const text = "following the change stream failed; trying again";
    const { log } = this.#options;
    const about = { ...this.#about(), reason: reasonOf(error) };
    if (before === 0) log.error(about, text);
    else log.debug({ ...about, before }, text);
  }

  #about() {
    return { subject: this.#options.subject };
  }

  async #start(source: Source<Baseline, Message>): Promise<void> {
    // before the baseline is taken, so that what comes after it is kept
    if (source.books) await source.books.report(await source.head());
    await source.baseline(async (baseline) => {
      await this.#options.follower.start(baseline);
      this.#advanceTo(baseline.revision);
    });
    this.#needsBaseline = false;
    this.#options.log.debug({ ...this.#about(), revision: this.revision }, "took a baseline");
  }

  async #follow(source: Source<Baseline, Message>): Promise<void> {
    let waited = shortestPause;
    let hasRested = false;
    for (;;) {
      const isQuiet = hasRested && !this.#noticed;
      this.#noticed = false;
      // who rests would have been told: as a rule there is nothing, and it is enough to ask for the head
      const { messages, more } = isQuiet && (await this.#isAtHead(source)) ? nothing : await this.#advance(source);
      if (this.#closing) return;
      this.#lookAtFollower();
      if (source.books) await this.#report(source.books);
      if (more || this.#noticed) continue;
      if (messages.length > 0) waited = shortestPause;
      await this.#sleep(source.tells ? restingPause : waited);
      hasRested = source.tells;
      waited = Math.min(longestPause, waited * 2);
    }
  }

  async #isAtHead(source: Source<Baseline, Message>): Promise<boolean> {
    const isAtHead = (await this.#look(() => source.head())) === this.#given;
    if (isAtHead) this.#isCurrent();
    return isAtHead;
  }

  /** Has some of what there is applied, and returns it. */
  async #advance(source: Source<Baseline, Message>): Promise<Part<Message>> {
    const part = await this.#look(() => source.read(this.#given));
    const { messages, more } = part;
    if (messages.length === 0) {
      await this.#check(source);
      return part;
    }
    if (messages[0]!.previous !== this.#given) throw new StreamBroken(`revisions after ${this.#given} are gone`);
    await this.#apply(messages);
    this.#advanceTo(messages.at(-1)!.revision);
    if (!more) this.#isCurrent();
    return part;
  }

  /** Nothing came: because there is nothing, or because it is not there any more? */
  async #check(source: Source<Baseline, Message>): Promise<void> {
    const head = await this.#look(() => source.head());
    if (head < this.#given) throw new StreamBroken(`the store went back from revision ${this.#given} to ${head}`);
    if (head === this.#given) this.#isCurrent();
    // numbered between the two looks, or trimmed: another look tells
    else if ((await source.read(this.#given)).messages.length === 0)
      throw new StreamBroken(`revisions up to ${head} are gone`);
    else this.#noticed = true;
  }

  #look<T>(ask: () => Promise<T>): Promise<T> {
    this.#lookedAt = performance.now();
    return ask();
  }

  #advanceTo(revision: number): void {
    this.#given = revision;
    this.revision = revision;
    this.#lookAtFollower();
  }

  #lookAtFollower(): void {
    const { follower } = this.#options;
    try {
      this.revision = follower.applied?.() ?? this.#given;
    } catch (error) {
      throw new StreamBroken(`a revision after ${this.revision} could not be applied: ${error}`);
    }
  }

  #isCurrent(): void {
    this.#lookAtFollower();
    if (this.revision === this.#given) this.#currentAt = this.#lookedAt;
  }

  async #apply(messages: readonly Message[]): Promise<void> {
    try {
      await this.#options.follower.apply(messages);
    } catch (error) {
      // it may have applied a part: only a baseline is safe now
      throw new StreamBroken(`revision ${messages[0]!.revision} or later could not be applied: ${error}`);
    }
  }

  async #report(books: Books): Promise<void> {
    const { revision, at } = this.#reported;
    const now = performance.now();
    if (revision === this.revision || now - at < reportEvery) return;
    this.#reported = { revision: this.revision, at: now };
    await books.report(this.revision);
  }

  #notice() {
    this.#noticed = true;
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

const nothing: Part<never> = { messages: [], more: false };

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
