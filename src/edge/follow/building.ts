/** Builds the contents of zones in the image, invisible to readers: one zone after another, in slices. */
import { setImmediate as immediate } from "node:timers/promises";
import { plainRrset } from "../../answer/image/rrset/rrset.ts";
import type { ImageContents, ImageWriter } from "../../answer/image/writer/writer.ts";
import type { ZoneContents } from "../../sync/change.ts";
import { type PlainRecord, readPart } from "../../sync/contents.ts";
import type { MemoryBudget } from "./memory-budget.ts";

/** Milliseconds of work in one slice. */
const slice = 5;

export interface BuildingOptions {
  readonly memory: MemoryBudget;
  /** Awaited between slices. */
  readonly rest?: (() => Promise<void>) | undefined;
  /** Runs a step that may meet a record that cannot be served. */
  readonly attempt: (what: object, run: () => void) => void;
  /** Called when contents are complete. */
  readonly onBuilt: () => void;
  /** Called when contents cannot be built: a baseline is needed. */
  readonly onFailed: (error: unknown) => void;
}

/** Contents to build. */
export interface Order {
  readonly change: ZoneContents;
  readonly revision: number;
  /** Fetched one by one. */
  readonly parts: AsyncIterable<Uint8Array>;
}

interface Build {
  /** Undefined before the first slice. */
  contents: ImageContents | undefined;
  isBuilt: boolean;
  /** Aborted when the contents will not be used. */
  readonly dropped: AbortController;
}

export class Building {
  readonly #options: BuildingOptions;
  readonly #builds = new Map<ZoneContents, Build>();
  #last = Promise.resolve();

  constructor(options: BuildingOptions) {
    this.#options = options;
  }

  /** `givenUp` is aborted when another image replaces this one. */
  begin(image: ImageWriter, order: Order, givenUp: AbortSignal): void {
    const build: Build = { contents: undefined, isBuilt: false, dropped: new AbortController() };
    this.#builds.set(order.change, build);
    const signal = AbortSignal.any([givenUp, build.dropped.signal]);
    this.#last = this.#last
      .then(() => this.#build(image, build, order, signal))
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.onFailed(error);
      });
  }

  /** Whether the contents are complete, dropped or unknown. */
  isDone(change: ZoneContents): boolean {
    const build = this.#builds.get(change);
    return !build || build.isBuilt || build.dropped.signal.aborted;
  }

  /** The finished contents; undefined when they were dropped. */
  take(change: ZoneContents): ImageContents | undefined {
    const build = this.#builds.get(change);
    this.#builds.delete(change);
    return build?.dropped.signal.aborted ? undefined : build?.contents;
  }

  /** Must be called when a later change replaces the zone's contents or removes the zone. */
  drop(image: ImageWriter, zoneId: string): void {
    for (const [{ zone_id }, { contents, dropped }] of this.#builds) {
      if (zone_id !== zoneId || dropped.signal.aborted) continue;
      dropped.abort();
      if (contents) image.dropContents(contents);
    }
  }

  /** Forgets all builds, after the image was replaced. */
  clear(): void {
    this.#builds.clear();
  }

  async #build(image: ImageWriter, build: Build, { change, revision, parts }: Order, signal: AbortSignal) {
    const { rest = immediate, memory, attempt, onBuilt } = this.#options;
    signal.throwIfAborted();
    const contents = image.beginContents(change.zone_id, change.zone);
    build.contents = contents;
    for await (const part of parts) {
      for (const records of slicesOf(part)) {
        signal.throwIfAborted();
        for (const { owner, type, ttl, rdata } of records) {
          attempt({ revision, type }, () => {
            const rrset = plainRrset(type, ttl, rdata);
            if (rrset) image.addToContents(contents, owner, rrset);
          });
        }
        image.commit();
        await rest();
        await memory.wait(image, signal);
      }
    }
    signal.throwIfAborted();
    build.isBuilt = true;
    onBuilt();
  }
}

/** The records of a part, in pieces of about `slice` milliseconds each. */
function* slicesOf(part: Uint8Array): Generator<Iterable<PlainRecord>> {
  const records = readPart(part);
  let next = records.next();
  while (!next.done) {
    yield (function* () {
      const end = performance.now() + slice;
      do {
        yield next.value;
        next = records.next();
      } while (!next.done && performance.now() < end);
    })();
  }
}
