import { expect, test } from "vitest";
import { transferTime } from "./values.ts";

test("the time of a message is not longer than that of its transfer", () => {
  expect(transferTime("10/3600")).toEqual({ message: 10, transfer: 3600 });
  for (const text of ["10", "0/5", "60/10", "1/100000", "a/b", "1/2/3"]) expect(() => transferTime(text)).toThrow();
});
