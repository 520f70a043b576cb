/** How fast the other side sends, with a clock of the test. */
import { expect, test } from "vitest";
import { Speed } from "./speed.ts";

function measured() {
  const clock = { now: 0 };
  return { clock, speed: new Speed({ octets: 100, over: 1000 }, () => clock.now) };
}

/** Takes pieces, each of so many octets after so many milliseconds; `seen` is whether it was slow before each came. */
async function take(
  { clock, speed }: ReturnType<typeof measured>,
  pieces: readonly (readonly [after: number, octets: number])[],
  held = 0,
) {
  const seen: boolean[] = [];
  const sent = async function* () {
    for (const [after, octets] of pieces) {
      clock.now += after;
      seen.push(speed.isSlow);
      yield new Uint8Array(octets);
    }
  };
  for await (const _ of speed.of(sent())) clock.now += held;
  return seen;
}

test("nobody is slow before it was measured, and then who sends less than the least", async () => {
  expect(await take(measured(), Array(4).fill([500, 10]))).toEqual([false, true, true, true]);
  const later = [60, 60, 300, 60, 60].map((octets) => [500, octets] as const);
  expect(await take(measured(), later)).toEqual([false, true, true, false, false]);
  expect(await take(measured(), Array(6).fill([250, 60]))).toEqual(Array(6).fill(false));
});

test("the least grows by itself with each measurement", async () => {
  const steady = await take(measured(), Array(5).fill([1000, 350]));
  expect(steady).toEqual([true, false, false, true, true]);
  const faster = Array.from({ length: 9 }, (_, n) => [1000, 100 * (n + 2)] as const);
  expect(await take(measured(), faster)).toEqual([true, ...Array(8).fill(false)]);
});

test("what came fast before is forgotten", async () => {
  const pieces = [[100, 1_000_000] as const, ...Array(4).fill([900, 1])];
  expect(await take(measured(), pieces)).toEqual([false, false, false, true, true]);
});

test("time that this side takes counts for nothing", async () => {
  expect(await take(measured(), Array(5).fill([10, 5]), 5000)).toEqual(Array(5).fill(false));
});

test("who is not waited for is not slow", async () => {
  const { clock, speed } = measured();
  const answer = Promise.withResolvers<Uint8Array>();
  const answered = speed.ofAnswer(answer.promise);
  clock.now += 2000;
  expect(speed.isSlow).toBe(true);
  answer.resolve(new Uint8Array(1));
  await answered;
  expect(speed.isSlow).toBe(false);
});
