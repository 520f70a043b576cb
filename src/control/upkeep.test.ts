import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { expect, test } from "vitest";
import { silent } from "../../test/store/store.ts";
import { removeRegularly } from "./upkeep.ts";

const patient = { timeout: 10_000 };

test("a failed step is logged, and the next steps run", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  let removed = 0;
  const steps = { broken: () => Promise.reject(new Error("away")), whole: async () => void removed++ };
  const end = removeRegularly(steps, log, 1);
  await expect.poll(() => removed, patient).toBeGreaterThan(1);
  end();
  expect(JSON.parse(lines[0]!)).toMatchObject({ what: "broken", reason: "Error: away" });
});

test("a round waits for the previous round", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const steps = { slow: () => (begun++ === 0 ? promise : Promise.resolve()) };
  const end = removeRegularly(steps, silent, 1);
  await expect.poll(() => begun, patient).toBe(1);
  await delay(20);
  expect(begun).toBe(1);
  resolve();
  await expect.poll(() => begun, patient).toBeGreaterThan(1);
  end();
});
