/** Tidies up the image after changes, in short steps on the main thread, so that changes are never delayed for long. */
import type { ImageWriter } from "../../answer/image/writer/writer.ts";

/** Milliseconds that a step takes, and how long others have the thread after it. */
const longestTurn = 2;
const pauseBetween = 8;
/** While readers are waited for, and when there is nothing to do. */
const waitingPause = 50;
const restingPause = 1000;
/** Blocks between two looks at the clock. */
const atOnce = 64;

export class Tidying {
  readonly #image: () => ImageWriter | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `image`: the one in use. */
  constructor(image: () => ImageWriter | undefined) {
    this.#image = image;
    this.#wait(restingPause);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(pause: number): void {
    this.#timer = setTimeout(() => this.#wait(this.#step()), pause);
  }

  /** Returns the pause until the next one. */
  #step(): number {
    const image = this.#image();
    if (!image) return restingPause;
    const end = performance.now() + longestTurn;
    while (image.tidy(atOnce)) if (performance.now() > end) return pauseBetween;
    return image.stats().waiting > 0 ? waitingPause : restingPause;
  }
}
