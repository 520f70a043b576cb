/** The question before an act that people would regret. */
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { confirm } from "./confirm.ts";

/** A terminal on which somebody types a text and then ends the input. */
function terminal(typed: string, isTTY = true) {
  const [input, output] = [Object.assign(new PassThrough(), { isTTY }), new PassThrough()];
  input.end(typed);
  return { input, output, shown: () => String(output.read() ?? "") };
}

test.for(["y\n", "YES\n"])("%j confirms", async (typed) => {
  const at = terminal(typed);
  await confirm("stop answering?", false, at);
  expect(at.shown()).toContain("stop answering? [y/N] ");
});

test.for(["n\n", "\n", "yesterday\n", ""])("%j does not", async (typed) => {
  await expect(confirm("stop answering?", false, terminal(typed))).rejects.toThrow("nothing has changed");
});

test("without a terminal, and with --yes, nothing is asked", async () => {
  for (const [at, isSure] of [
    [terminal("n\n", false), false],
    [terminal("n\n"), true],
  ] as const) {
    await confirm("stop answering?", isSure, at);
    expect(at.shown()).toBe("");
  }
});
