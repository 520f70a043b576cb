/** Long work in pieces, so that other requests are answered meanwhile. */

/** Milliseconds after which others have their turn. */
const atOnce = 5;

/** Whose turn comes: however many do long work, one of them goes on between two looks at what has arrived. */
const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(goOn);
}

export class Turns {
  #since = performance.now();

  /** To be called between the steps of long work. */
  async giveWay(): Promise<void> {
    if (performance.now() - this.#since < atOnce) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
