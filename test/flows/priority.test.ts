/** The priorities of the threads of a running service. */
import { expect, test } from "vitest";
import { niceOf } from "../machine/proc.ts";
import { service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

test("the edge is as any other program once it has started; control and the store give way to it", async () => {
  await using running = await service();
  const { edge, control, store } = rolesOf(running);
  const valuesOf = (pids: readonly number[]) => new Set(pids.flatMap(niceOf).map(([, nice]) => nice));
  expect(edge.flatMap(niceOf).filter(([name]) => /^(udp|stream) \d+$/.test(name)).length).toBeGreaterThan(1);
  await expect.poll(() => valuesOf(edge)).toEqual(new Set([0]));
  expect(valuesOf(control)).toEqual(new Set([5]));
  const lowest = Math.min(...valuesOf(store));
  expect(lowest).toBe(5);
});
