import { Command } from "commander";
import { expect, test } from "vitest";
import { distance, refuseUnknown } from "./unknown.ts";

const program = new Command("fairlead").exitOverride().configureOutput({ writeErr: () => {} });
for (const name of ["serve", "explain", "store"]) program.command(name);

test.each([
  ["explian", "unknown command 'explian' (did you mean explain?)"],
  ["stove", "unknown command 'stove' (did you mean store?)"],
  ["stop", "unknown command 'stop'"],
])("%s is no command", (given, told) => {
  expect(() => refuseUnknown(program, [given, "a.b"])).toThrow(told);
});

test.each([[[]], [["--dns", "127.0.0.1:53"]], [["serve"]], [["help", "serve"]]])("%j goes on", (args) => {
  expect(refuseUnknown(program, args)).toBeUndefined();
});

test("a swap, a change, a letter more or less count once", () => {
  const all = ["explian", "explaim", "explainn", "expain", "explain", ""].map((word) => distance(word, "explain"));
  expect(all).toEqual([1, 1, 1, 1, 0, 7]);
});
