/** Input from a peer: its speed, with a simulated clock, and the loss of its slot. */
import { setImmediate as settle } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { MeasuredInput } from "./measured-input.ts";

function measured() {
  const clock = { now: 0 };
  const input = new MeasuredInput(
    { octets: 100, over: 1000 },
    () => new Error("too slow"),
    () => clock.now,
  );
  return { clock, input };
}

/** Takes pieces, each after a time in milliseconds; returns whether the input was slow before each of them. */
async function take(
  pieces: readonly (readonly [after: number, octets: number])[],
  { held = 0, ...given }: Partial<ReturnType<typeof measured>> & { readonly held?: number } = {},
) {
  const { clock, input } = { ...measured(), ...given };
  const seen: boolean[] = [];
  const sent = async function* () {
    for (const [after, octets] of pieces) {
      clock.now += after;
      seen.push(input.isSlow);
      yield new Uint8Array(octets);
    }
  };
  for await (const _ of input.pieces(sent())) clock.now += held;
  return seen;
}

test("input is slow once it has fallen behind the floor, until it has caught up", async () => {
  expect(await take(Array(4).fill([500, 10]))).toEqual([false, false, true, true]);
  const later = [0, 0, 0, 200, 0].map((octets) => [500, octets] as const);
  expect(await take(later)).toEqual([false, true, true, true, false]);
});

test("input at the speed of the floor is never slow", async () => {
  expect(await take(Array(20).fill([250, 25]))).toEqual(Array(20).fill(false));
});

test("earlier speed allows no more delay than is allowed at the start", async () => {
  const pieces = [[100, 1_000_000] as const, ...Array(3).fill([600, 1])];
  expect(await take(pieces)).toEqual([false, false, true, true]);
});

test("the time that this side needs for a piece is not measured", async () => {
  expect(await take(Array(5).fill([10, 5]), { held: 5000 })).toEqual(Array(5).fill(false));
});

test("input is slow only while this side waits for it", async () => {
  const { clock, input } = measured();
  const answer = Promise.withResolvers<Uint8Array>();
  const answered = input.answer(answer.promise);
  clock.now += 2000;
  expect(input.isSlow).toBe(true);
  answer.resolve(new Uint8Array(1));
  await answered;
  expect(input.isSlow).toBe(false);
});

test("pieces end at once when the slot is lost, even while this side waits for a piece", async () => {
  const { input } = measured();
  async function* stuck() {
    yield new Uint8Array(1);
    await new Promise(() => {});
  }
  const taken: Uint8Array[] = [];
  const taking = (async () => {
    for await (const piece of input.pieces(stuck())) taken.push(piece);
  })();
  await settle();
  expect(taken).toHaveLength(1);
  input.loseSlot();
  await expect(taking).rejects.toThrow("too slow");
  expect(input.signal.aborted).toBe(true);
});

test("a reader that stops ends the pieces", async () => {
  const ended = vi.fn();
  const sent = async function* () {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      ended();
    }
  };
  for await (const _ of measured().input.pieces(sent())) break;
  expect(ended).toHaveBeenCalledOnce();
});
