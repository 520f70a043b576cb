/** Places for imports, from the first octet of their files on: who sends slowly gives its place up where others need one. */

import { type PlaceLimits, Places } from "../../lib/fair/slots.ts";
import { type LeastSpeed, Speed } from "../../lib/fair/speed.ts";
import { unavailable } from "../../lib/problem.ts";

export class ImportPlaces {
  readonly #places: Places;
  readonly #least: LeastSpeed;
  readonly #under = new Set<ImportPlace>();

  constructor(limits: PlaceLimits, least: LeastSpeed) {
    this.#places = new Places(limits, "too many imports are waiting");
    this.#least = least;
  }

  /** To be given back. Throws `unavailable` when there is none. */
  enter(account_id: string): ImportPlace {
    const leave = this.#places.enter(account_id, () => this.#makeWay(account_id));
    const place: ImportPlace = new ImportPlace(account_id, new Speed(this.#least), () => {
      if (this.#under.delete(place)) leave();
    });
    this.#under.add(place);
    return place;
  }

  #makeWay(account_id: string): void {
    const slow = [...this.#under].find((place) => place.account_id !== account_id && place.isSlow);
    slow?.giveWay();
  }
}

export class ImportPlace {
  readonly account_id: string;
  /** May be called again. */
  readonly leave: () => void;
  readonly #speed: Speed;
  readonly #giving = new AbortController();

  constructor(account_id: string, speed: Speed, leave: () => void) {
    this.account_id = account_id;
    this.#speed = speed;
    this.leave = leave;
  }

  get isSlow(): boolean {
    return this.#speed.isSlow;
  }

  /** The file, as its client sends it. Throws `unavailable` once the place is given up. */
  file(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#speed.of(until(this.#giving.signal, pieces));
  }

  giveWay(): void {
    this.leave();
    this.#giving.abort(unavailable("the file came too slowly while others waited for its place: send it again"));
  }
}

/** Throws the reason of the signal at once, also while a piece is waited for. */
async function* until(signal: AbortSignal, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    const ended = Promise.resolve(iterator.return?.()).catch(() => {});
    // a piece that is still waited for ends with its connection
    if (!signal.aborted) await ended;
  }
}
