/** A cache of sources for pushes. Entries may be old, because they are checked when values are stored. */
import type { Db } from "../../kit/store.ts";
import { sourceTypes } from "../types/index.ts";
import { type SourceType, Targets } from "../types/sourcetype.ts";
import { findPushed } from "./push-store.ts";

export interface KnownSource {
  readonly account_id: string;
  readonly id: string;
  readonly version: number;
  readonly type: SourceType;
  readonly feeds: Targets;
}

/** The target of a push. */
export interface PushTarget {
  readonly source: KnownSource;
  /** All feeds of the source, or the one feed whose id was named. */
  readonly feeds: Targets;
  /** Whether the source was just read from the store. */
  readonly fresh: boolean;
}

/** Sources and feeds together; beyond this number the whole cache is cleared. */
const mostRemembered = 200_000;

export class KnownSources {
  readonly #db: Db;
  readonly #sources = new Map<string, KnownSource>();
  /** The source of each feed, by feed id; a feed never changes its source. */
  readonly #sourceOf = new Map<string, string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the source or feed with this id; undefined when the account has none. */
  async find(account_id: string, id: string, fresh: boolean): Promise<PushTarget | undefined> {
    const kind = idKind(id);
    const feed = kind === "feed" ? id : undefined;
    const known = fresh
      ? undefined
      : this.#sources.get(keyOf(account_id, this.#sourceOf.get(keyOf(account_id, id)) ?? id));
    if (known) return targetOf(known, feed, false);
    const source = await this.#load(account_id, kind, id);
    return source && targetOf(source, feed, true);
  }

  /** Whether the cache has no newer version of the source. */
  isLatest(source: KnownSource): boolean {
    return this.#sources.get(keyOf(source.account_id, source.id)) === source;
  }

  async #load(account_id: string, kind: "source" | "feed", id: string): Promise<KnownSource | undefined> {
    const found = await findPushed(this.#db, account_id, kind, id);
    const type = found && sourceTypes.get(found.sourcetype);
    if (!type) return undefined;
    const key = keyOf(account_id, found.id);
    const before = this.#sources.get(key);
    if (before?.version === found.version) return before;
    const source = { account_id, id: found.id, version: found.version, type, feeds: new Targets(found.feeds) };
    if (this.#sources.size + this.#sourceOf.size > mostRemembered) {
      this.#sources.clear();
      this.#sourceOf.clear();
    }
    this.#sources.set(key, source);
    for (const feed of found.feeds) this.#sourceOf.set(keyOf(account_id, feed.id), source.id);
    return source;
  }
}

/** Ids of sources have 32 digits, ids of feeds 24. */
export const idKind = (id: string) => (id.length === 32 ? "source" : "feed");

const keyOf = (account_id: string, id: string) => `${account_id} ${id}`;

function targetOf(source: KnownSource, feed_id: string | undefined, fresh: boolean): PushTarget | undefined {
  if (feed_id === undefined) return { source, feeds: source.feeds, fresh };
  const feeds = source.feeds.only(feed_id);
  return feeds && { source, feeds, fresh };
}
