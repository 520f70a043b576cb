import { expect, test } from "vitest";
import { findRunner } from "./runner.ts";

test("root without user namespaces is told what to do, and which directory it is about", async () => {
  await expect(findRunner("/no/program", "/some/data", true)).rejects.toThrow(
    /user namespaces.*\/some\/data.*--database-url/,
  );
});
