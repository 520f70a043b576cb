/** How fast the other side sends: who sends slowly gives up what others wait for. */

export interface LeastSpeed {
  /** Octets in a second, of the first measurement; twice as many of the second, and so on. */
  readonly octets: number;
  /** Milliseconds of waiting over which it is measured. */
  readonly over: number;
}

/** What a line of a quarter of a Mbit/s does, and in the minutes after the first as much again in each. */
export const usualLeast: LeastSpeed = { octets: 32 * 1024, over: 60_000 };

/**
 * Measures while the other side is waited for, and only then: what this side takes its time with counts for nothing. The
 * longer it is waited for, the more has to come: whoever sends just enough would keep others waiting for as long as it
 * likes.
 */
export class Speed {
  readonly #least: LeastSpeed;
  readonly #now: () => number;
  /** Milliseconds of waiting that are over, and when the one that goes on began. */
  #waited = 0;
  #since: number | undefined;
  /** What was waited, and what came, since the measurement began. */
  #begun = 0;
  #octets = 0;
  #wasSlow = false;

  constructor(least: LeastSpeed, now: () => number = () => performance.now()) {
    this.#least = least;
    this.#now = now;
  }

  /** Whether it is waited for now, and was slow when it was last measured; nobody is before that. */
  get isSlow(): boolean {
    this.#measure();
    return this.#since !== undefined && this.#wasSlow;
  }

  /** The same pieces, measured. */
  async *of<T extends Uint8Array>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
    this.#wait();
    try {
      for await (const piece of pieces) {
        this.#come(piece.length);
        yield piece;
        this.#wait();
      }
    } finally {
      this.#come(0);
    }
  }

  /** The same answer, measured. */
  async ofAnswer(answer: Promise<Uint8Array>): Promise<Uint8Array> {
    this.#wait();
    let octets = 0;
    try {
      const all = await answer;
      octets = all.length;
      return all;
    } finally {
      this.#come(octets);
    }
  }

  #wait(): void {
    this.#since = this.#now();
  }

  #come(octets: number): void {
    this.#measure();
    if (this.#since !== undefined) this.#waited += this.#now() - this.#since;
    this.#since = undefined;
    this.#octets += octets;
  }

  #measure(): void {
    const waited = this.#waited + (this.#since === undefined ? 0 : this.#now() - this.#since);
    const time = waited - this.#begun;
    const { octets, over } = this.#least;
    if (time < over) return;
    const least = octets * Math.floor(waited / over);
    this.#wasSlow = this.#octets < (least * time) / 1000;
    this.#begun = waited;
    this.#octets = 0;
  }
}
