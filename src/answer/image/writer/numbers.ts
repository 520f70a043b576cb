/** The zones of an image have small numbers, under which their queries are counted. */

/** Free numbers are reused only when this many numbers exist, or two per zone if that is more. */
const leastNumbers = 1 << 16;

export class ZoneNumbers {
  /** Upper bound of all numbers, exclusive. */
  count = 0;
  readonly #list: () => Iterable<readonly [number: number, data: number]>;
  /** Data of zones by number, 0 for free numbers. */
  #data: number[] | undefined;
  #zones = 0;
  /** Position at which the search for a free number begins, so that numbers are reused as late as possible. */
  #next = 0;

  /** `list` yields all zones. It is called late, so that an image that was read from disk answers without delay. */
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

  /** Sets the data of the zone with the number. */
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
