/** Lines of the log, whatever is in them. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../../test/processes.ts";

test("each is one line of JSON without control characters, whatever is logged", async () => {
  const odd = ["a\r\nforged", "\u001b[31mred", "%s %d %o", "\u0000", "\u2028", '"}{"', "\ud800"];
  const module = fileURLToPath(new URL("log.ts", import.meta.url));
  const program = `
    import { newLog } from ${JSON.stringify(module)};
    const log = newLog("debug", "test");
    for (const text of ${JSON.stringify(odd)}) log.warn({ name: text, [text]: 1 }, text);`;
  const { err, code } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(code).toBe(0);
  const lines = err.trimEnd().split("\n");
  expect(lines).toHaveLength(odd.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  expect(lines.filter((line) => /[\0-\x1f\x7f]/.test(line))).toEqual([]);
  expect(lines.map((line) => JSON.parse(line).name.toWellFormed())).toEqual(odd.map((text) => text.toWellFormed()));
});
