/** The writer's linked zones: each is answered from the data of its target zone, and REFUSED while it has none. */
import { nameFromApi } from "../../../dns/wire/name.ts";
import { blockKey, dataEntry } from "../memory/layout.ts";
import type { ImageZone } from "../rrset/source.ts";
import type { ImageCore } from "./core.ts";

/** A linked zone without a target: its id, and the name of the target. */
export type Waiting = readonly [id: string, target: string];

/** A target exists, belongs to the account of the linked zone, and is not linked itself. */
export class LinkedZones {
  readonly #core: ImageCore;
  /** Ids of linked zones by the name of their missing target. */
  readonly #waiting = new Map<string, Set<string>>();
  /** The name of the missing target by the id of the linked zone. */
  readonly #awaited = new Map<string, string>();

  constructor(core: ImageCore) {
    this.#core = core;
  }

  /** All zones without a target, for a copy of the image. */
  waiting(): Waiting[] {
    return [...this.#awaited];
  }

  /** The apex name of a linked zone's target, in wire format, lower case; undefined for a zone that is not linked. */
  targetOf(id: string, data: number): Uint8Array | undefined {
    const { zones, key } = this.#core;
    const awaited = this.#awaited.get(id);
    if (awaited === undefined && !zones.isLinked(data)) return undefined;
    if (awaited === undefined) zones.load(zones.targetOf(data), key);
    else key.load(nameFromApi(awaited), 0);
    return key.octets.slice(0, key.length);
  }

  /** Continues from a copy of another image. */
  restore(waiting: readonly Waiting[]): void {
    for (const [id, target] of waiting) this.#await(id, target);
  }

  /** Links a new or changed zone to its target; an ordinary zone becomes the target of the zones that waited for it. */
  place({ id, zone, link }: Pick<ImageZone, "id" | "zone" | "link">, data: number): void {
    const { zones, key } = this.#core;
    zones.unlink(data);
    this.#forget(id);
    if (!link) {
      this.#linkWaiting(zone, data);
      return;
    }
    this.#release(data);
    key.load(nameFromApi(link), 0);
    const target = zones.find(this.#viewOf(data), key);
    if (target !== 0 && this.#isTarget(target, data)) zones.link(data, target);
    else this.#wait(data, link);
  }

  /** Must be called before a zone is removed: the zones linked to it then wait for another zone with its name. */
  remove(id: string, data: number): void {
    this.#forget(id);
    this.#release(data);
  }

  /** The zones linked to this zone wait. */
  #release(data: number): void {
    const { zones } = this.#core;
    for (const link of zones.linksTo(data)) {
      zones.unlink(link);
      this.#wait(link, zones.nameOf(data));
    }
  }

  #linkWaiting(zone: string, data: number): void {
    const { zones, ids } = this.#core;
    for (const id of [...(this.#waiting.get(zone) ?? [])]) {
      const waiting = ids.get(id)!;
      if (zones.accountOf(waiting) !== zones.accountOf(data)) continue;
      this.#forget(id);
      zones.link(waiting, data);
    }
  }

  #isTarget(target: number, data: number): boolean {
    const { zones } = this.#core;
    const isLink = target === data || zones.isLinked(target) || this.#awaited.has(zones.idOf(target));
    return !isLink && zones.accountOf(target) === zones.accountOf(data);
  }

  #viewOf(data: number): number {
    const { memory } = this.#core.blocks;
    return memory.word(memory.word(data, dataEntry), blockKey);
  }

  #wait(data: number, target: string): void {
    const { zones } = this.#core;
    zones.refuse(data);
    this.#await(zones.idOf(data), target);
  }

  #await(id: string, target: string): void {
    this.#waiting.set(target, (this.#waiting.get(target) ?? new Set()).add(id));
    this.#awaited.set(id, target);
  }

  #forget(id: string): void {
    const target = this.#awaited.get(id);
    if (target === undefined) return;
    this.#awaited.delete(id);
    const ids = this.#waiting.get(target)!;
    ids.delete(id);
    if (ids.size === 0) this.#waiting.delete(target);
  }
}
