/** The findings of one check of the store: the first ones, and how many there are besides. */
import { type Finding, findingsOf } from "../../../terminal/finding.ts";

const mostShown = 20;

export class Findings {
  readonly #check: string;
  readonly #first: Finding[] = [];
  #more = 0;

  constructor(check: string) {
    this.#check = check;
  }

  failed(text: string, advice: string): void {
    if (this.#first.length === mostShown) this.#more++;
    else this.#first.push(findingsOf(this.#check).failed(text, advice));
  }

  warning(text: string, advice: string): void {
    this.#first.push(findingsOf(this.#check).warning(text, advice));
  }

  list(): readonly Finding[] {
    if (this.#more === 0) return this.#first;
    const text = `${this.#more} more findings like the last one are not shown`;
    return [...this.#first, findingsOf(this.#check).failed(text, "mend those above, and check again")];
  }
}
