/**
 * The way to a look at a password when many come at once: a few at a time, in turns that are fair among accounts, and
 * among the addresses that want into one. Right passwords are no guesses, so nothing else keeps their number down.
 */
import { unavailable } from "../../../lib/problem.ts";

/** For whom a password is looked at, and from where. */
export interface Entrant {
  readonly party: string;
  readonly address: string;
}

interface Waiting {
  enter(): void;
  refuse(): void;
}

/** Two of the threads that files and look-ups share. */
const atOnce = 2;
/** Each is a matter of some hundredths of a second: who would wait for more than these is told to come again. */
export const mostWaiting = 200;

export class Entrance {
  /** Those who wait, by party and address; whose turn is next stands first. */
  readonly #parties = new Map<string, Map<string, Waiting[]>>();
  #waiting = 0;
  #running = 0;

  /** Throws `unavailable` when too many wait, to the last of those who are most. */
  async pass<T>(entrant: Entrant, work: () => Promise<T>): Promise<T> {
    if (this.#running < atOnce) this.#running++;
    else await this.#wait(entrant);
    try {
      return await work();
    } finally {
      const next = this.#take();
      // who comes next takes this place
      if (next) next.enter();
      else this.#running--;
    }
  }

  #wait({ party, address }: Entrant): Promise<void> {
    return new Promise((enter, reject) => {
      const addresses = this.#parties.get(party) ?? new Map<string, Waiting[]>();
      const line = addresses.get(address) ?? [];
      const refuse = () => reject(unavailable("too many are signing in at once: try again in a moment"));
      line.push({ enter, refuse });
      this.#parties.set(party, addresses.set(address, line));
      if (++this.#waiting > mostWaiting) this.#sendAway();
    });
  }

  #take(): Waiting | undefined {
    const [first] = this.#parties;
    if (!first) return undefined;
    const [party, addresses] = first;
    const [address, line] = [...addresses][0]!;
    const next = line.shift();
    this.#waiting--;
    // behind all others
    addresses.delete(address);
    if (line.length > 0) addresses.set(address, line);
    this.#parties.delete(party);
    if (addresses.size > 0) this.#parties.set(party, addresses);
    return next;
  }

  /** Whoever sends many keeps themselves out, and nobody who sends few. */
  #sendAway(): void {
    const [party, addresses] = longest(this.#parties, (lines) => sum([...lines.values()].map((line) => line.length)));
    const [address, line] = longest(addresses, ({ length }) => length);
    line.pop()?.refuse();
    this.#waiting--;
    if (line.length === 0) addresses.delete(address);
    if (addresses.size === 0) this.#parties.delete(party);
  }
}

/** Of several that are as long, the last. The map is not empty. */
const longest = <V>(map: ReadonlyMap<string, V>, lengthOf: (value: V) => number): [string, V] =>
  [...map].reduce((most, entry) => (lengthOf(entry[1]) >= lengthOf(most[1]) ? entry : most));

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
