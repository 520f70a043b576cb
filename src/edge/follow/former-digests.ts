/**
 * The digests that zones had before their last changes. The store's digests are those of an earlier revision, so that a
 * zone that changes all the time can be compared as well.
 */
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { ChangeSet } from "../../sync/change.ts";

/** A value before the change set of a revision. */
interface Former<Value> {
  readonly revision: number;
  readonly value: Value;
}

type Formers = Map<string, Former<number | null>[]>;

/** Entries after which the older half is forgotten. */
const mostEntries = 50_000;

/** Key of the number of zones; no id is empty. */
const all = "";

export class FormerDigests {
  /** By zone id, in order. */
  #newer: Formers = new Map();
  #older: Formers = new Map();
  #entries = 0;
  /** The last revisions with entries in the two maps. */
  #newest = 0;
  #oldest = 0;
  /** States before this revision are not known. */
  #from = 0;

  /** Must be called when the image is another one, of this revision. */
  clear(revision: number): void {
    this.#newer = new Map();
    this.#older = new Map();
    this.#entries = 0;
    this.#newest = revision;
    this.#oldest = revision;
    this.#from = revision;
  }

  /** Must be called before a change set is staged. */
  note(image: ImageWriter, { revision, serials, changes }: ChangeSet): void {
    const zones = new Set(Object.keys(serials));
    for (const change of changes) if (change.kind === "zone_removed") zones.add(change.zone_id);
    for (const id of zones) this.#add(id, revision, image.digestOf(id) ?? null);
    const isOfZones = changes.some(({ kind }) => kind === "zone" || kind === "zone_removed");
    if (isOfZones) this.#add(all, revision, image.stats().zones);
    this.#newest = Math.max(this.#newest, revision);
  }

  /** Undefined if the state at the revision is not known. */
  digestAt(zoneId: string, revision: number, now: () => number | null): number | null | undefined {
    if (revision < this.#from) return undefined;
    const isLater = (one: Former<number | null>) => one.revision > revision;
    const former = this.#older.get(zoneId)?.find(isLater) ?? this.#newer.get(zoneId)?.find(isLater);
    return former ? former.value : now();
  }

  zonesAt(revision: number, now: () => number): number | undefined {
    return this.digestAt(all, revision, now) ?? undefined;
  }

  #add(key: string, revision: number, value: number | null): void {
    if (this.#entries === mostEntries / 2) {
      this.#from = this.#oldest;
      this.#older = this.#newer;
      this.#oldest = this.#newest;
      this.#newer = new Map();
      this.#entries = 0;
    }
    const known = this.#newer.get(key);
    if (known) known.push({ revision, value });
    else this.#newer.set(key, [{ revision, value }]);
    this.#entries++;
  }
}
