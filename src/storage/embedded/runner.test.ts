import { expect, test } from "vitest";
import { findRunner } from "./runner.ts";

test("the refusal for root without user namespaces names the directory and the remedies", async () => {
  await expect(findRunner("/no/program", "/", true)).rejects.toThrow(/user namespaces.*--user.*--database-url/);
});
