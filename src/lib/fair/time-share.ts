/** A share of the time for one kind of work: credit grows with time, and work takes from it. */
export class TimeShare {
  readonly #share: number;
  readonly #most: number;
  #credit = 0;
  #at = 0;

  /** `share` of the time, from 0 to 1; `most`: the milliseconds of work that can be saved up, and owed. */
  constructor(share: number, most: number) {
    this.#share = share;
    this.#most = most;
  }

  /** Whether work has taken all credit. */
  get isUsedUp(): boolean {
    return this.#credit <= 0;
  }

  /** Adds the credit for the time since the last call; `now` are milliseconds. */
  refill(now: number): void {
    this.#credit = Math.min(this.#most, this.#credit + Math.max(0, now - this.#at) * this.#share);
    this.#at = now;
  }

  /** Takes the credit for so many milliseconds of work. */
  spend(time: number): void {
    this.#credit = Math.max(-this.#most, this.#credit - time);
  }
}
