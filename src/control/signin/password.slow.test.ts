/** Passwords by very many at once: who is too many is told so, and nobody after them. */
import { expect, test } from "vitest";
import { hashPassword, isPassword } from "./password.ts";

test("a first look at a password that comes when too many wait spoils none after it", async () => {
  const text = "correct horse battery X9";
  const all = Array.from({ length: 202 }, () => hashPassword(text));
  const first = await isPassword(null, text).catch((error: Error) => error.message);
  expect([false, "too many are signing in: try again"]).toContain(first);
  const [stored] = await Promise.all(all);
  expect(await isPassword(stored!, text)).toBe(true);
  expect(await isPassword(null, text)).toBe(false);
});
