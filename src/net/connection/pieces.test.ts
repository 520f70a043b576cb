import { duplexPair } from "node:stream";
import { setImmediate as nextRound } from "node:timers/promises";
import { expect, test } from "vitest";
import { Pieces } from "./pieces.ts";

/** A connection whose pieces wait in `turns`, and what its reader has got. */
function start(octets: number) {
  const [client, socket] = duplexPair();
  const turns: (() => void)[] = [];
  const got: string[] = [];
  const when = (give: () => void) =>
    new Promise<void>((resolve) =>
      turns.push(() => {
        give();
        resolve();
      }),
    );
  const pieces = new Pieces(socket, { octets, when });
  pieces.on("data", (piece: Buffer) => got.push(piece.toString()));
  const go = async () => {
    await nextRound();
    expect(turns.length).toBeLessThan(2);
    turns.shift()?.();
  };
  return { client, pieces, got, go };
}

test("a reader gets small pieces, each in its turn, and then the end", async () => {
  const { client, pieces, got, go } = start(4);
  let hasEnded = false;
  pieces.on("end", () => (hasEnded = true));
  client.write("one two");
  client.end(" three");
  await nextRound();
  expect(got).toEqual([]);
  for (const all of [["one "], ["one ", "two"], ["one ", "two", " thr"], ["one ", "two", " thr", "ee"]]) {
    await go();
    expect(got).toEqual(all);
  }
  for (let n = 0; n < 3; n++) await nextRound();
  expect(hasEnded).toBe(true);
});

test("a connection that is about to close sends what was written, and reads no more", async () => {
  const { client, pieces, got, go } = start(1);
  let answer = "";
  client.on("data", (octets) => (answer += octets));
  client.write("abc");
  await go();
  pieces.write("1");
  pieces.write("2");
  pieces.destroySoon();
  for (let n = 0; n < 5; n++) await go();
  expect([got, answer, pieces.destroyed]).toEqual([["a"], "12", true]);
});
