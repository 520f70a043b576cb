/** So many may do something at once, and so many more wait for their turn. */
export class Places {
  #free: number;
  readonly #mostWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number, mostWaiting: number) {
    this.#free = most;
    this.#mostWaiting = mostWaiting;
  }

  /** False when too many are waiting. Whoever got a place leaves it. */
  async take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    if (this.#waiting.length === this.#mostWaiting) return false;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return true;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}
