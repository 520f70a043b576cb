/** Senders that are measured with a clock of the test, and what becomes of those that lose their slots. */
import { setImmediate as settle } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { Sender } from "./measured-input.ts";

function measured() {
  const clock = { now: 0 };
  const sender = new Sender(
    { octets: 100, over: 1000 },
    () => new Error("too slow"),
    () => clock.now,
  );
  return { clock, sender };
}

/** Takes pieces, each of so many octets after so many milliseconds; returns whether it was slow before each came. */
async function take(
  pieces: readonly (readonly [after: number, octets: number])[],
  { held = 0, ...given }: Partial<ReturnType<typeof measured>> & { readonly held?: number } = {},
) {
  const { clock, sender } = { ...measured(), ...given };
  const seen: boolean[] = [];
  const sent = async function* () {
    for (const [after, octets] of pieces) {
      clock.now += after;
      seen.push(sender.isSlow);
      yield new Uint8Array(octets);
    }
  };
  for await (const _ of sender.pieces(sent())) clock.now += held;
  return seen;
}

test("a sender is slow once it has fallen behind the floor, and no more when it has caught up", async () => {
  expect(await take(Array(4).fill([500, 10]))).toEqual([false, false, true, true]);
  const later = [0, 0, 0, 200, 0].map((octets) => [500, octets] as const);
  expect(await take(later)).toEqual([false, true, true, true, false]);
});

test("a sender that keeps to the floor is never slow", async () => {
  expect(await take(Array(20).fill([250, 25]))).toEqual(Array(20).fill(false));
});

test("earlier speed is worth no more than at the start", async () => {
  const pieces = [[100, 1_000_000] as const, ...Array(3).fill([600, 1])];
  expect(await take(pieces)).toEqual([false, false, true, true]);
});

test("the time that this side takes is not measured", async () => {
  expect(await take(Array(5).fill([10, 5]), { held: 5000 })).toEqual(Array(5).fill(false));
});

test("a sender is slow only while it is waited for", async () => {
  const { clock, sender } = measured();
  const answer = Promise.withResolvers<Uint8Array>();
  const answered = sender.answer(answer.promise);
  clock.now += 2000;
  expect(sender.isSlow).toBe(true);
  answer.resolve(new Uint8Array(1));
  await answered;
  expect(sender.isSlow).toBe(false);
});

test("pieces end at once where the sender has to make way, also while one is waited for", async () => {
  const { sender } = measured();
  async function* stuck() {
    yield new Uint8Array(1);
    await new Promise(() => {});
  }
  const taken: Uint8Array[] = [];
  const taking = (async () => {
    for await (const piece of sender.pieces(stuck())) taken.push(piece);
  })();
  await settle();
  expect(taken).toHaveLength(1);
  sender.giveWay();
  await expect(taking).rejects.toThrow("too slow");
  expect(sender.signal.aborted).toBe(true);
});

test("a reader that takes no more pieces ends them", async () => {
  const ended = vi.fn();
  const sent = async function* () {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      ended();
    }
  };
  for await (const _ of measured().sender.pieces(sent())) break;
  expect(ended).toHaveBeenCalledOnce();
});
