/** Attempts in the store: several at once, then one after each interval, also with clock changes and concurrency. */

import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { fakeClock } from "../../../../test/machine/clock.ts";
import { testStore } from "../../../../test/store/store.ts";
import { seconds } from "../../../lib/clock.ts";
import { newId } from "../../../lib/ids.ts";
import { Problem } from "../../../lib/problem.ts";
import { secretsFrom } from "../../../lib/secrets.ts";
import { type Attempt, countAttempt, forgetAttempts, uncountAttempt } from "./attempts.ts";

const { db } = await testStore();
const clock = fakeClock();
const secrets = secretsFrom([randomBytes(32)]);
/** The context of a request at the current time. */
const context = () => ({ db, secrets, now: seconds(clock) });
let login: Attempt;
beforeEach(() => {
  login = ["login", newId()];
});

/** Seconds to wait; 0 if the guess was allowed. */
const wait = async (...attempts: Attempt[]) => {
  try {
    await countAttempt(context(), ...attempts);
    return 0;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return Number(error.details?.["retry_after"]);
  }
};

test("five at once, then one every four minutes; at most twenty in any hour", async () => {
  const taken: number[] = [];
  const began = clock.now();
  for (let second = 0; second < 2 * 3600; second += 20) {
    while ((await wait(login)) === 0) taken.push(clock.now() - began);
    clock.advance(20_000);
  }
  expect(taken.slice(0, 7)).toEqual([0, 0, 0, 0, 0, 240_000, 480_000]);
  for (const start of taken) {
    expect(taken.filter((at) => at >= start && at <= start + 3_600_000).length).toBeLessThanOrEqual(20);
  }
});

test("concurrent guesses do not exceed the limit, and refused guesses get the time to wait", async () => {
  const waits = await Promise.all(Array.from({ length: 20 }, () => wait(login)));
  expect(waits.toSorted((a, b) => a - b)).toEqual([...Array(5).fill(0), ...Array(15).fill(240)]);
  clock.advance(100_500);
  expect(await wait(login)).toBe(140);
});

test("a right guess is given back, and a guess that another limit refuses is not counted", async () => {
  for (let times = 0; times < 30; times++) {
    expect(await wait(login)).toBe(0);
    await uncountAttempt(context(), login);
  }
  const full: Attempt = ["code", newId()];
  while ((await wait(full)) === 0);
  for (let times = 0; times < 10; times++) expect(await wait(login, full)).toBe(240);
  for (let times = 0; times < 5; times++) expect(await wait(login)).toBe(0);
});

test("setting the clock back by a day causes no wait of a day", async () => {
  clock.advance(86_400_000);
  while ((await wait(login)) === 0);
  clock.advance(-86_400_000);
  expect(await wait(login)).toBeLessThanOrEqual(240);
});

test("a budget is full again once its attempts are forgotten", async () => {
  while ((await wait(login)) === 0);
  await forgetAttempts(context(), login);
  expect(await wait(login)).toBe(0);
});
