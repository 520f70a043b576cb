/** The turns of simulations, and the limit of their CPU time. */
import { expect, test } from "vitest";
import { cpuTime, Turns, Work } from "./work.ts";

const busy = (milliseconds: number) => {
  for (const until = cpuTime() + milliseconds; cpuTime() < until; );
};

test("accounts have equal shares of the time, however many editors they have", async () => {
  const turns = new Turns();
  const steps: string[] = [];
  const simulate = async (account: string, editor: string) => {
    const work = new Work({ turns, account, editor, signal: new AbortController().signal });
    while (steps.length < 200) {
      await work.run(() => {
        busy(1);
        steps.push(account);
      });
    }
  };
  await Promise.all([...[1, 2, 3, 4].map((editor) => simulate("many", `${editor}`)), simulate("one", "1")]);
  const own = steps.filter((account) => account === "one").length;
  expect(own / steps.length).toBeGreaterThan(0.4);
  expect(own / steps.length).toBeLessThan(0.6);
});

test("work ends with the reason of its signal", async () => {
  const controller = new AbortController();
  const work = new Work({ turns: new Turns(), account: "a", editor: "e", signal: controller.signal });
  expect(await work.run(() => 1)).toBe(1);
  controller.abort(new Error("nobody waits"));
  await expect(work.run(() => 1)).rejects.toThrow("nobody waits");
});

test("work ends when its time is used up, and only its own steps count", async () => {
  const turns = new Turns();
  const { signal } = new AbortController();
  const [short, long] = ["a", "b"].map((account) => new Work({ turns, account, editor: "e", signal, most: 100 }));
  const repeat = async (work: Work, step: number) => {
    let steps = 0;
    const run = async () => {
      for (; ; steps++) await work.run(() => busy(step));
    };
    await run().catch(() => {});
    return steps;
  };
  const [many, few] = await Promise.all([repeat(short!, 5), repeat(long!, 50)]);
  expect([many > 5, few <= 3]).toEqual([true, true]);
  await expect(long!.run(() => 1)).rejects.toThrow(/^draws: the answers take more than 0.1 seconds of CPU time/);
});
