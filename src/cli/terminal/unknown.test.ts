import { Command } from "commander";
import { expect, test } from "vitest";
import { distance, refuseUnknown } from "./unknown.ts";

const program = new Command("fairlead").exitOverride().configureOutput({ writeErr: () => {} });
for (const name of ["serve", "explain", "store"]) program.command(name);

test.each([
  ["explian", "unknown command 'explian' (did you mean explain?)"],
  ["stove", "unknown command 'stove' (did you mean store?)"],
  ["stop", "unknown command 'stop'"],
])("%s is refused as an unknown command", (given, message) => {
  expect(() => refuseUnknown(program, [given, "a.b"])).toThrow(message);
});

test.each([[[]], [["--dns", "127.0.0.1:53"]], [["serve"]], [["help", "serve"]]])("%j is not refused", (args) => {
  expect(refuseUnknown(program, args)).toBeUndefined();
});

test("a swap, a change, an insertion and a removal are one edit each", () => {
  const all = ["explian", "explaim", "explainn", "expain", "explain", ""].map((word) => distance(word, "explain"));
  expect(all).toEqual([1, 1, 1, 1, 0, 7]);
});
