/** What a source type declares: its configuration, and what its pushes mean for the feeds of a source. */
import type { MetaKey } from "../../../answer/model/meta.ts";
import type { Fields } from "../../../lib/fields.ts";
import { invalid } from "../../../lib/problem.ts";

export interface SourceType {
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly config: Fields;
  readonly feed_config: Fields;
  /** The metadata keys that its feeds may carry. */
  readonly compatible_meta: readonly MetaKey[];
  /** Of a new source: `pending` while its provider has to call first. */
  readonly status: "ok" | "pending";
  /** What a push calls a feed of this configuration; null when its pushes do not name feeds. */
  readonly labelOf: (config: Readonly<Record<string, unknown>>) => string | null;
  /** What a push gives to which feeds. Throws a Problem that names what is wrong; then nothing of the push counts. */
  readonly receive: (payload: Readonly<Record<string, unknown>>, feeds: Targets) => readonly Delivery[];
}

interface Target {
  readonly id: string;
  readonly label: string | null;
}

/** The feeds that a push may reach. */
export class Targets {
  /** Ids of all of them. */
  readonly all: readonly string[];
  readonly #feeds: ReadonlyMap<string, Target>;
  readonly #labelled = new Map<string, string[]>();

  constructor(feeds: readonly Target[]) {
    this.all = feeds.map(({ id }) => id);
    this.#feeds = new Map(feeds.map((feed) => [feed.id, feed]));
    for (const { id, label } of feeds) {
      if (label === null) continue;
      const others = this.#labelled.get(label);
      if (others) others.push(id);
      else this.#labelled.set(label, [id]);
    }
  }

  /** Ids of the feeds that a push calls by this label; undefined when there is none. */
  labelled(label: string): readonly string[] | undefined {
    return this.#labelled.get(label);
  }

  /** One of them by id. */
  only(id: string): Targets | undefined {
    const feed = this.#feeds.get(id);
    return feed && new Targets([feed]);
  }
}

/** A table that takes the place of what the feeds had. */
export interface Delivery {
  readonly feeds: readonly string[];
  readonly table: Table;
}

/** Values by metadata key, and the JSON text that is stored. */
export interface Table {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Of JSON, in what one feed has. */
export const mostTableOctets = 64 * 1024;

/** A table ready to be stored; `field` names it in a refusal. */
export function tableOf(data: Readonly<Record<string, unknown>>, field: string): Table {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > mostTableOctets) {
    throw invalid(`${field} is larger than ${mostTableOctets} octets of JSON`, { field, limit: mostTableOctets });
  }
  return { data, text };
}
