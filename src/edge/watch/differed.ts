/** The zones that differed when they were last compared, also after everything was read again: for the edge's report. */

/** Rounds through all zones after which a zone that was not compared again is gone. */
const mostRounds = 3;

export class Differed {
  /** By id. */
  readonly #zones = new Map<string, { readonly name: string; readonly round: number }>();
  #round = 0;

  note(id: string, name: string, isEqual: boolean): void {
    if (isEqual) this.#zones.delete(id);
    else this.#zones.set(id, { name, round: this.#round });
  }

  /** To be called when all zones have been compared. */
  endRound(): void {
    this.#round++;
    for (const [id, { round }] of this.#zones) if (this.#round - round >= mostRounds) this.#zones.delete(id);
  }

  /** The first names. */
  names(most: number): readonly string[] {
    return [...this.#zones.values()].slice(0, most).map(({ name }) => name);
  }
}
