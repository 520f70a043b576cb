/** The writer's linked zones: each is answered from the data of its target zone, while that exists. */
import { nameFromApi } from "../../../dns/wire/name.ts";
import { blockKey, dataEntry } from "../memory/layout.ts";
import type { ImageZone } from "../rrset/source.ts";
import type { ImageCore } from "./core.ts";

export class LinkedZones {
  readonly #core: ImageCore;
  /** Ids of linked zones by the name of their missing target; a baseline may have zones in any order. */
  readonly #waiting = new Map<string, Set<string>>();
  /** The name of the missing target by the id of the linked zone. */
  readonly #awaited = new Map<string, string>();

  constructor(core: ImageCore) {
    this.#core = core;
  }

  /** Links a new or changed zone to its target; the zones that waited for this zone are linked to it. */
  place({ id, zone, link }: Pick<ImageZone, "id" | "zone" | "link">, data: number): void {
    const { zones, ids, key } = this.#core;
    for (const waiting of [...(this.#waiting.get(zone) ?? [])]) {
      this.#forget(waiting);
      zones.link(ids.get(waiting)!, data);
    }
    zones.unlink(data);
    this.#forget(id);
    if (!link) return;
    key.load(nameFromApi(link), 0);
    const target = zones.find(this.#viewOf(data), key);
    if (target !== 0) zones.link(data, target);
    else this.#wait(link, id);
  }

  /** Must be called before a zone is removed: the zones linked to it then wait for another zone with its name. */
  remove(id: string, data: number): void {
    const { zones } = this.#core;
    this.#forget(id);
    for (const link of zones.linksTo(data)) this.#wait(zones.nameOf(data), zones.idOf(link));
  }

  #viewOf(data: number): number {
    const { memory } = this.#core.blocks;
    return memory.word(memory.word(data, dataEntry), blockKey);
  }

  #wait(target: string, id: string): void {
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
