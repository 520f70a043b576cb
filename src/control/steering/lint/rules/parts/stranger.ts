/** A client about which nothing is known, which notes whether it is asked for facts. */
import type { FilterClient } from "../../../../../answer/filters/contract/filter.ts";

export class Stranger implements FilterClient {
  /** Whether a filter asked for a fact about the client since `begin`. */
  isAsked = false;
  /** Whether a filter asked for a random number since `begin`. */
  isDrawn = false;

  begin(): void {
    this.isAsked = false;
    this.isDrawn = false;
  }

  country = () => this.#unknown("");
  subdivision = () => this.#unknown("");
  georegion = () => this.#unknown("");
  asn = () => this.#unknown(0);
  latitude = () => this.#unknown(Number.NaN);
  longitude = () => this.#unknown(Number.NaN);
  isIn = () => this.#unknown(false);
  network = () => this.#unknown(0);
  matched = () => this.#unknown(undefined);

  random(): number {
    this.isDrawn = true;
    return 0;
  }

  #unknown<Fact>(fact: Fact): Fact {
    this.isAsked = true;
    return fact;
  }
}
