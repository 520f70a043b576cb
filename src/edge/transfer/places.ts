/** So many may do something at once, and so many more wait for their turn: of all, and of one holder. */
export interface PlaceLimits {
  readonly most: number;
  readonly waiting: number;
}

interface Waiting {
  readonly holder: string;
  readonly go: () => void;
}

export class Places {
  readonly #all: PlaceLimits;
  readonly #own: PlaceLimits;
  /** Holders, once for each of their places. */
  readonly #taken: string[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(all: PlaceLimits, own: PlaceLimits) {
    this.#all = all;
    this.#own = own;
  }

  /** False when too many are waiting. Whoever got a place leaves it. */
  async take(holder: string): Promise<boolean> {
    if (this.#hasPlace(holder)) {
      this.#taken.push(holder);
      return true;
    }
    const own = this.#waiting.filter((each) => each.holder === holder).length;
    if (this.#waiting.length >= this.#all.waiting || own >= this.#own.waiting) return false;
    await new Promise<void>((go) => this.#waiting.push({ holder, go }));
    return true;
  }

  /** Who has waited longest and may have it gets the place. */
  leave(holder: string): void {
    this.#taken.splice(this.#taken.indexOf(holder), 1);
    const next = this.#waiting.findIndex((each) => this.#hasPlace(each.holder));
    const [one] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!one) return;
    this.#taken.push(one.holder);
    one.go();
  }

  #hasPlace(holder: string): boolean {
    const own = this.#taken.filter((each) => each === holder).length;
    return this.#taken.length < this.#all.most && own < this.#own.most;
  }
}
