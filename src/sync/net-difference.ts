/** The net difference of steps in a zone's history: each entry once, with its states before and after all steps. */
import { typeName } from "../dns/type-names.ts";

/** The zone's own fields, or one of its records. */
type Keyed =
  | { readonly kind: "zone" }
  | { readonly kind: "record"; readonly record: { readonly domain: string; readonly type: string } };

/** An entry's states; undefined where the entry does not exist. */
export interface NetChange<Entry> {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export class NetDifference<Entry extends Keyed> {
  readonly #entries = new Map<string, NetChange<Entry>>();

  /** By key. The first step that mentions an entry determines the entry's earlier state. */
  get entries(): ReadonlyMap<string, NetChange<Entry>> {
    return this.#entries;
  }

  add({ removed, added }: { readonly removed: readonly Entry[]; readonly added: readonly Entry[] }): void {
    for (const entry of removed) {
      const key = keyOf(entry);
      const known = this.#entries.get(key);
      this.#entries.set(key, { before: known ? known.before : entry, after: undefined });
    }
    for (const entry of added) {
      const key = keyOf(entry);
      this.#entries.set(key, { before: this.#entries.get(key)?.before, after: entry });
    }
  }
}

/** The key of the zone's own fields; all other keys are those of records. */
export const zoneKey = "";
/** A type that was written as TYPEnnn before it had a name has the same key as its name. */
export const recordKey = ({ domain, type }: { readonly domain: string; readonly type: string }) =>
  `${domain} ${typeName(type)}`;

/** Identifies an entry within its zone. */
const keyOf = (entry: Keyed) => (entry.kind === "record" ? recordKey(entry.record) : zoneKey);
