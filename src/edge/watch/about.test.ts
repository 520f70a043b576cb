/** What an edge says about itself. */
import { expect, test } from "vitest";
import { fakeClock } from "../../../test/machine/clock.ts";
import { aboutEdge } from "./about.ts";

test("the rate of queries is that since the report before", () => {
  const clock = fakeClock();
  let count = 1000;
  const stats = () => ({ zones: 2, records: 3, octets: 4, free: 0, waiting: 0, emptied: 0 });
  const about = aboutEdge({ version: "1.2.3", networks: [1], zones: { stats }, queries: () => count, clock });
  const first = about();
  expect(first).toMatchObject({ version: "1.2.3", networks: [1], zones: 2, records: 3, queries: null });
  expect([first.started, first.memory.zones]).toEqual([clock.now() / 1000, 4]);
  clock.advance(30_000);
  count += 45;
  expect(about().queries).toBe(1.5);
  expect(about().queries).toBeNull();
  clock.advance(1000);
  expect(about().queries).toBe(0);
});
