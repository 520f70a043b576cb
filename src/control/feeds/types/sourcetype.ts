/** The interface of source types: their configuration, and the meaning of their pushes for the feeds of a source. */
import { type MetaKey, spellingsOf } from "../../../answer/model/meta.ts";
import { assertConfig, type Fields } from "../../../lib/fields.ts";
import { invalid } from "../../../lib/problem.ts";

export interface SourceType {
  readonly shortdesc: string;
  /** HTML. */
  readonly desc: string;
  readonly config: Fields;
  readonly feed_config: Fields;
  /** The metadata keys that feeds of this type may carry. */
  readonly compatible_meta: readonly MetaKey[];
  /** The status of a new source: `pending` if the provider must call first. */
  readonly status: "ok" | "pending";
  /** Returns the name that pushes use for a feed with this configuration; null when pushes do not name feeds. */
  readonly labelOf: (config: Readonly<Record<string, unknown>>) => string | null;
  /** Returns the tables of a push with the feeds that receive them. Throws a Problem if any part of the push is invalid. */
  readonly receive: (payload: Readonly<Record<string, unknown>>, feeds: Targets) => readonly Delivery[];
}

interface Target {
  readonly id: string;
  readonly label: string | null;
  /** Whether pushes that do not say otherwise keep the values of keys that they do not have. */
  readonly merges?: boolean;
}

/** The feeds that a push may reach. */
export class Targets {
  /** The ids of all feeds. */
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

  /** Returns the ids of the feeds with this label; undefined when there is none. */
  labelled(label: string): readonly string[] | undefined {
    return this.#labelled.get(label);
  }

  merges(id: string): boolean {
    return this.#feeds.get(id)?.merges === true;
  }

  /** Returns the one feed with this id. */
  only(id: string): Targets | undefined {
    const feed = this.#feeds.get(id);
    return feed && new Targets([feed]);
  }
}

/** A table that replaces the previous table of these feeds, or is merged into it. */
export interface Delivery {
  readonly feeds: readonly string[];
  readonly table: Table;
}

/** Values by metadata key, and the JSON text that is stored. */
export interface Table {
  readonly data: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Keys that were sent with null: merging removes them. */
  readonly unset: readonly string[];
}

/** Octets of JSON in the table of one feed. */
export const mostTableOctets = 64 * 1024;

/** Octets of JSON in the configuration of a source or feed. */
export const mostConfigOctets = 4096;

/** Throws `invalid` for a configuration that is too large or does not have the fields of its type. */
export function assertConfigFits(fields: Fields, config: Readonly<Record<string, unknown>>): void {
  assertConfig(fields, config, "config");
  if (Buffer.byteLength(JSON.stringify(config)) > mostConfigOctets) {
    const message = `config is larger than ${mostConfigOctets} octets of JSON: leave out fields that the type does not have`;
    throw invalid(message, { field: "config", limit: mostConfigOctets });
  }
}

/** Prepares a table for storage; `field` names it in an error message. */
export function tableOf(data: Readonly<Record<string, unknown>>, field: string, unset: readonly string[] = []): Table {
  const text = JSON.stringify(data);
  if (Buffer.byteLength(text) > mostTableOctets) {
    throw invalid(`${field} is larger than ${mostTableOctets} octets of JSON`, { field, limit: mostTableOctets });
  }
  return { data, text, unset };
}

/** The table after another one is merged into it. Of one key in two spellings, the later one stays. */
export function mergeTables({ data, unset }: Pick<Table, "data" | "unset">, sent: Table, field: string): Table {
  const gone = new Set([...Object.keys(sent.data), ...sent.unset].flatMap(spellingsOf));
  const left = Object.entries(data).filter(([key]) => !gone.has(key));
  return tableOf({ ...Object.fromEntries(left), ...sent.data }, field, [
    ...unset.filter((key) => !gone.has(key)),
    ...sent.unset,
  ]);
}
