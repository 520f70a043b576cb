/** What the steps of a zone's history come to: each thing once, as it was before the first that names it and is after the last. */
import { typeName } from "../dns/type-names.ts";

/** The zone's own fields, or one of its records. */
type Placed =
  | { readonly kind: "zone" }
  | { readonly kind: "record"; readonly record: { readonly domain: string; readonly type: string } };

/** Undefined where the thing is not there. */
export interface Pair<Entry> {
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

export class Folded<Entry extends Placed> {
  readonly #pairs = new Map<string, Pair<Entry>>();

  /** By place. Nothing needs to be known of what came before: the first mention of a thing says how it was. */
  get pairs(): ReadonlyMap<string, Pair<Entry>> {
    return this.#pairs;
  }

  add({ removed, added }: { readonly removed: readonly Entry[]; readonly added: readonly Entry[] }): void {
    for (const entry of removed) {
      const place = placeOf(entry);
      const known = this.#pairs.get(place);
      this.#pairs.set(place, { before: known ? known.before : entry, after: undefined });
    }
    for (const entry of added) {
      const place = placeOf(entry);
      this.#pairs.set(place, { before: this.#pairs.get(place)?.before, after: entry });
    }
  }
}

/** Where the zone's own fields stand among the places of its records. */
export const placeOfZone = "";
/** What was written as TYPEnnn, before the type had a name, stands where the name does. */
export const placeOfRecord = ({ domain, type }: { readonly domain: string; readonly type: string }) =>
  `${domain} ${typeName(type)}`;

/** What an entry is about, among all things of its zone. */
const placeOf = (entry: Placed) => (entry.kind === "record" ? placeOfRecord(entry.record) : placeOfZone);
