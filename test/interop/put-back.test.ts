/** Edges stay right when the store is put back to an earlier moment, whichever way, whatever happened to them meanwhile. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../machine/random.ts";
import { fates } from "../operate/installation.ts";
import { Rounds, ways } from "../operate/put-back.ts";

/** Milliseconds between two writes of one of the eight writers, so that the machine is not busy with them alone. */
const pause = 20;

let rounds: Rounds;
beforeAll(async () => {
  rounds = await Rounds.start(seededRandom(1), pause);
}, 60_000);
afterAll(() => rounds?.[Symbol.asyncDispose]());

test.each(ways)(
  "%s: every edge answers as the store, and no serial is given twice",
  { timeout: 120_000 },
  async (way) => {
    const { lost, wrong, writable, ahead } = await rounds.round(way);
    expect(lost).toBeGreaterThan(0);
    expect(wrong).toEqual(new Map(fates.map((fate) => [fate, []])));
    expect(writable).toBeLessThan(5000);
    expect(ahead).toBeGreaterThan(0);
  },
);
