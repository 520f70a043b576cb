/** Concurrency slots with a waiting line, limited in all and for each holder. */
export interface SlotLimits {
  readonly most: number;
  readonly waiting: number;
}

interface Waiting {
  readonly holder: string;
  readonly go: () => void;
}

export class Slots {
  readonly #all: SlotLimits;
  readonly #own: SlotLimits;
  /** Holders, once for each of their slots. */
  readonly #taken: string[] = [];
  readonly #waiting: Waiting[] = [];

  constructor(all: SlotLimits, own: SlotLimits) {
    this.#all = all;
    this.#own = own;
  }

  /** False when too many are waiting. After true, the caller must call `leave`. */
  async take(holder: string): Promise<boolean> {
    if (this.#hasSlot(holder)) {
      this.#taken.push(holder);
      return true;
    }
    const own = this.#waiting.filter((each) => each.holder === holder).length;
    if (this.#waiting.length >= this.#all.waiting || own >= this.#own.waiting) return false;
    await new Promise<void>((go) => this.#waiting.push({ holder, go }));
    return true;
  }

  /** The slot goes to the first in the line whose holder is below its limit. */
  leave(holder: string): void {
    this.#taken.splice(this.#taken.indexOf(holder), 1);
    const next = this.#waiting.findIndex((each) => this.#hasSlot(each.holder));
    const [one] = next < 0 ? [] : this.#waiting.splice(next, 1);
    if (!one) return;
    this.#taken.push(one.holder);
    one.go();
  }

  #hasSlot(holder: string): boolean {
    const own = this.#taken.filter((each) => each === holder).length;
    return this.#taken.length < this.#all.most && own < this.#own.most;
  }
}
