/** Edges stay right when the store is put back to an earlier moment, whichever way, whatever happened to them meanwhile. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "../machine/random.ts";
import { waysBack } from "../operate/events/put-back.ts";
import { Rounds } from "../operate/rounds.ts";

let rounds: Rounds;
beforeAll(async () => {
  rounds = await Rounds.start(seededRandom(1));
});
afterAll(() => rounds?.[Symbol.asyncDispose]());

test.each(waysBack)(
  "$name: every edge answers as the store, no serial is given twice, and nothing else is lost",
  { timeout: 120_000 },
  async (event) => {
    const { faults, lost, acknowledged } = await rounds.round(event);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(100);
    if (event.loses === "nothing") expect(lost).toBe(0);
    else expect(lost).toBeGreaterThan(0);
  },
);
