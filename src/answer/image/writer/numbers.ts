/** Small numbers of the zones of an image, under which queries are counted. */

/** A number that is free again waits until so many others, or twice as many as there are zones, were given. */
const leastNumbers = 1 << 16;

export class ZoneNumbers {
  /** All numbers lie below. */
  count = 0;
  readonly #list: () => Iterable<readonly [number: number, data: number]>;
  /** Data of zones by their numbers, 0 for those that are free. */
  #data: number[] | undefined;
  #zones = 0;
  /** Where the next free number is looked for: a number comes again as late as can be. */
  #next = 0;

  /** `list` is called when it is first needed: an image that was read from a disk answers before. */
  constructor(list: () => Iterable<readonly [number: number, data: number]>) {
    this.#list = list;
  }

  take(data: number): number {
    if (this.count < leastNumbers && !this.#data) return this.count++;
    const all = this.#all();
    this.#zones++;
    if (this.count < Math.max(leastNumbers, 2 * this.#zones)) {
      all.push(data);
      return this.count++;
    }
    while (all[this.#next] !== 0) this.#next = (this.#next + 1) % this.count;
    const number = this.#next;
    all[number] = data;
    this.#next = (number + 1) % this.count;
    return number;
  }

  /** The zone with the number has other data. */
  move(number: number, data: number): void {
    if (this.#data) this.#data[number] = data;
  }

  free(number: number): void {
    if (!this.#data) return;
    this.#data[number] = 0;
    this.#zones--;
  }

  /** Data of the zone with a number, or 0. */
  dataOf(number: number): number {
    return this.#all()[number] ?? 0;
  }

  #all(): number[] {
    if (this.#data) return this.#data;
    this.#data = new Array<number>(this.count).fill(0);
    for (const [number, data] of this.#list()) {
      this.#data[number] = data;
      this.#zones++;
    }
    return this.#data;
  }
}
