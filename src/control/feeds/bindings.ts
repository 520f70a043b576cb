/** Finds and checks the metadata of a record that takes values from feeds, and stores it as the feeds' destinations. */
import { feedOf, feedsOf, spellingsOf } from "../../answer/model/meta.ts";
import { invalidField } from "../../lib/problem.ts";
import type { BoundFeed, RecordRow, StoredAnswer } from "../../storage/tables/records.ts";
import type { Ctx } from "../write/context.ts";
import { type DestinationRow, destinationsPut, destinationsRemoved, lockFeeds } from "./model/destination-store.ts";
import { nameKey } from "./publish.ts";

/** The metadata of a record. */
export interface Bindable {
  readonly answers: readonly StoredAnswer[];
  readonly regions: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
}

interface Binding {
  /** The path in the body: `answers[0].meta.up`. */
  readonly field: string;
  readonly desttype: "answer" | "region" | "record";
  /** Id of the answer or name of the region; empty for the record itself. */
  readonly destid: string;
  readonly feed_id: string;
  /** The metadata key that takes its value from the feed. */
  readonly key: string;
}

/** Feeds that a write protects from deletion until the write ends; each feed is looked up once. */
export class FeedLocks {
  readonly #ctx: Ctx;
  readonly #lookedUp = new Set<string>();
  readonly #sources = new Map<string, string>();

  constructor(ctx: Ctx) {
    this.#ctx = ctx;
  }

  /** Returns the source of each feed that the account has, by feed id. */
  async lock(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const wanted = ids.filter((id) => !this.#lookedUp.has(id));
    if (wanted.length === 0) return this.#sources;
    for (const id of wanted) this.#lookedUp.add(id);
    const { db, account_id } = this.#ctx;
    for (const { id, source_id } of await lockFeeds(db, account_id, wanted)) this.#sources.set(id, source_id);
    return this.#sources;
  }

  /** Locks the feeds that many records name, in one step. */
  async lockAll(bodies: readonly Naming[]): Promise<void> {
    await this.lock(bodies.flatMap(feedsNamed));
  }
}

/** The metadata of a record as a request body may contain it. */
interface Naming {
  readonly answers?: readonly object[] | null;
  readonly regions?: object | null;
  readonly meta?: unknown;
}

/** Returns the feeds that a record, or a request body, names in its metadata. */
export const feedsNamed = ({ answers, regions, meta }: Naming): string[] =>
  [...(answers ?? []), ...Object.values(regions ?? {}), { meta }].flatMap((part) => {
    const table = metaOf(part);
    return isTable(table) ? feedsOf(table) : [];
  });

/**
 * Returns the feeds that the record uses, each once, and locks them until the transaction ends. Throws for a feed that the
 * account does not have, unless the record named it before: a feed can be deleted while metadata points to it, and a
 * client must still be able to send back a record that it has read.
 */
export function bindFeeds(
  locks: FeedLocks,
  after: Bindable,
  before: Bindable | undefined,
): readonly BoundFeed[] | Promise<readonly BoundFeed[]> {
  const bindings = bindingsOf(after);
  return bindings.length === 0 ? [] : bind(locks, bindings, before);
}

async function bind(
  locks: FeedLocks,
  bindings: readonly Binding[],
  before: Bindable | undefined,
): Promise<readonly BoundFeed[]> {
  const ids = [...new Set(bindings.map(({ feed_id }) => feed_id))];
  const sources = await locks.lock(ids);
  const known = new Set(before && bindingsOf(before).map(({ feed_id }) => feed_id));
  for (const { field, feed_id: feed } of bindings) {
    if (!sources.has(feed) && !known.has(feed)) throw invalidField(field, `there is no feed "${feed}"`, { feed });
  }
  return ids.flatMap((feed) => {
    const source = sources.get(feed);
    return source === undefined ? [] : { source, feed };
  });
}

/** Sends the changes that a write makes to destinations and to the keys that are named; undefined means no record. */
export function moveDestinations(ctx: Ctx, before: RecordRow | undefined, after: RecordRow | undefined): void {
  const [old, now] = [before, after].map((row) => {
    const bindings = row ? boundOf(row) : [];
    return {
      destinations: new Map(row && bindings.map((one) => destinationOf(row, one)).map((one) => [keyOf(one), one])),
      keys: new Map(bindings.map(({ feed_id, key }) => [`${feed_id} ${key}`, { feed_id, key }])),
    };
  });
  for (const [key, destination] of old!.destinations) {
    if (!now!.destinations.has(key)) ctx.send(destinationsRemoved, destination);
  }
  for (const [key, destination] of now!.destinations) {
    if (!old!.destinations.has(key)) ctx.send(destinationsPut, destination);
  }
  for (const [name, { feed_id, key }] of now!.keys) {
    if (old!.keys.has(name)) continue;
    for (const spelling of spellingsOf(key)) nameKey(ctx, { account_id: after!.account_id, feed_id, key: spelling });
  }
}

/** Returns the bindings to feeds that existed when the record was written. */
function boundOf(row: RecordRow): Binding[] {
  if (row.feeds.length === 0) return [];
  const there = new Set(row.feeds.map(({ feed }) => feed));
  return bindingsOf(row).filter(({ feed_id }) => there.has(feed_id));
}

function destinationOf(row: RecordRow, { desttype, destid, feed_id }: Binding): DestinationRow {
  const { account_id, zone_id, id: record_id, domain, type } = row;
  const place = { account_id, zone_id, record_id, domain, type };
  return { ...place, desttype, destid: desttype === "record" ? record_id : destid, feed_id };
}

const keyOf = ({ desttype, destid, feed_id }: DestinationRow) => `${desttype} ${feed_id} ${destid}`;

const bindingsOf = ({ answers, regions, meta }: Bindable): Binding[] => [
  ...answers.flatMap((answer, i) => bindingsIn(answer.meta, `answers[${i}].meta`, "answer", answer.id)),
  ...Object.entries(regions).flatMap(([name, region]) =>
    bindingsIn(metaOf(region), `regions.${name}.meta`, "region", name),
  ),
  ...bindingsIn(meta, "meta", "record", ""),
];

function bindingsIn(meta: unknown, at: string, desttype: Binding["desttype"], destid: string): Binding[] {
  if (!isTable(meta)) return [];
  return Object.entries(meta).flatMap(([key, value]) => {
    const feed_id = feedOf(value);
    return feed_id === undefined ? [] : { field: `${at}.${key}`, desttype, destid, feed_id, key };
  });
}

const metaOf = (region: unknown): unknown =>
  typeof region === "object" && region !== null && "meta" in region ? region.meta : undefined;

const isTable = (meta: unknown): meta is Readonly<Record<string, unknown>> => typeof meta === "object" && meta !== null;
