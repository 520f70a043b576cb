/** Kills during writes, in a few rounds; `node test/faults/durability.ts` runs fifty. */
import { expect, test } from "vitest";
import { durability, leastWrites } from "../faults/rounds.ts";

test("every acknowledged write survives SIGKILL of Node, of the store and of everything", async () => {
  const { settings, rounds } = await durability({ rounds: 6, seed: 1 });
  expect(settings).toEqual({ fsync: "on", synchronous_commit: "on", full_page_writes: "on" });
  expect(rounds.flatMap((round) => round.wrong)).toEqual([]);
  const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged, 0);
  process.stdout.write(
    `\nfaults: ${rounds.length} rounds of SIGKILL, ${acknowledged} writes acknowledged, at least ${leastWrites} each, none lost\n`,
  );
  expect(acknowledged).toBeGreaterThanOrEqual(6 * leastWrites);
});
