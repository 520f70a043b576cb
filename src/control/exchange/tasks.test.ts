/** Tasks on zones, and those that lose their slot. */
import { expect, test } from "vitest";
import type { ZoneRow } from "../../storage/tables/zones.ts";
import { LongTask, ZoneTasks } from "./tasks.ts";

const zone = (account_id: string, id: string) => ({ account_id, id }) as ZoneRow;

test("a task that has lasted too long ends when an account below its share finds no slot", async () => {
  const clock = { now: 0 };
  const tasks = new ZoneTasks({ all: 2, own: 2 }, () => {});
  const begin = (account: string, id: string) => {
    const task = new LongTask(1000, () => clock.now);
    const ended = new Promise<void>((resolve) => task.signal.addEventListener("abort", () => resolve()));
    return { task, isBegun: tasks.begin(zone(account, id), () => ended, task) };
  };
  const long = [begin("a", "1"), begin("a", "2")];
  clock.now = 999;
  expect(begin("b", "3").isBegun).toBe(false);
  clock.now = 1000;
  expect(begin("a", "4").isBegun).toBe(false);
  const other = begin("b", "3");
  expect(other.isBegun).toBe(true);
  expect(long.map(({ task }) => task.signal.aborted)).toEqual([true, false]);
  for (const { task } of [...long, other]) task.loseSlot();
  await tasks.settle();
});
