/** Tidies up the image after changes, in short steps on the main thread, so that changes are never delayed for long. */
import { setTimeout as delay } from "node:timers/promises";
import type { ImageWriter } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";
import { type Loop, loop } from "../../lib/loop.ts";

/** Maximum milliseconds of a step, and milliseconds of the pause after it for other work. */
const longestStep = 2;
const pauseBetween = 8;
/** Milliseconds between two steps while readers still use replaced blocks. */
const waitingPause = 50;
/** Milliseconds from a change to the first step. */
const afterChange = 1000;
/** Milliseconds between turns when nothing changes: a snapshot may have held up part of the last turn's work. */
const every = 10_000;
/** Blocks between two readings of the clock. */
const atOnce = 64;

/** `image` returns the image in use. The loop must be woken after each change. */
export const tidyAfterChanges = (image: () => ImageWriter | undefined, log: Log): Loop =>
  loop({
    async turn(signal) {
      for (let pause = step(image()); pause > 0; pause = step(image())) {
        await delay(pause, undefined, { signal, ref: false });
      }
    },
    every,
    gather: afterChange,
    complain: (error) => log.error({ reason: String(error) }, "the memory of the zones cannot be tidied up"),
  });

/** Returns the pause until the next step; 0 when there is nothing more to do. */
function step(image: ImageWriter | undefined): number {
  const end = performance.now() + longestStep;
  while (image?.tidy(atOnce)) if (performance.now() > end) return pauseBetween;
  return image && image.stats().waiting > 0 ? waitingPause : 0;
}
