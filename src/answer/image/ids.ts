/** The writer's zones by their ids in the store. */

export class ZoneIds {
  #known: Map<string, number> | undefined;
  #count: number;
  readonly #list: () => Iterable<readonly [string, number]>;

  /** `list` is called at the first look-up: an image that was read from a disk answers before its ids are gathered. */
  constructor(count: number, list: () => Iterable<readonly [string, number]>) {
    this.#count = count;
    this.#list = list;
  }

  get size(): number {
    return this.#known?.size ?? this.#count;
  }

  /** Address of a zone's data. */
  get(id: string): number | undefined {
    return this.#all().get(id);
  }

  set(id: string, data: number): void {
    this.#all().set(id, data);
  }

  delete(id: string): void {
    this.#all().delete(id);
  }

  #all(): Map<string, number> {
    this.#known ??= new Map(this.#list());
    return this.#known;
  }
}
