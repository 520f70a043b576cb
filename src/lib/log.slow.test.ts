/** Log lines with unusual content. */
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../../test/machine/processes.ts";

/** The lines that `statements` write to a log. */
async function linesOf(statements: string, isTerminal = false): Promise<string[]> {
  const module = fileURLToPath(new URL("log.ts", import.meta.url));
  const program = `
    import { newLog } from ${JSON.stringify(module)};
    const log = newLog("debug", "test", ${isTerminal});
    ${statements}`;
  const { err, code } = await run(process.execPath, ["--input-type=module", "--eval", program]);
  expect(code).toBe(0);
  return err.trimEnd().split("\n");
}

test("each entry is one line of JSON without control characters", async () => {
  const odd = ["a\r\nforged", "\u001b[31mred", "%s %d %o", "\u0000", "\u2028", '"}{"', "\ud800"];
  const lines = await linesOf(`for (const text of ${JSON.stringify(odd)}) log.warn({ name: text, [text]: 1 }, text);`);
  expect(lines).toHaveLength(odd.length);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the search is for control characters
  expect(lines.filter((line) => /[\0-\x1f\x7f]/.test(line))).toEqual([]);
  expect(lines.map((line) => JSON.parse(line).name.toWellFormed())).toEqual(odd.map((text) => text.toWellFormed()));
});

test("very long text is cut at any depth, and the rest of the line is kept", async () => {
  const lines = await linesOf(`
    const long = "\u001b\\n%s".repeat(200_000);
    log.warn({ name: long, port: 53 }, "a name");
    log.warn(long);
    log.warn({ [long]: 1, list: [{ name: long }], error: new Error(long) }, "nested");
    log.child({ zone: long }).warn({ zones: Array.from({ length: 100_000 }, () => "a") }, "many");
    log.warn({ text: "x".repeat(4000) }, "not so long");`);
  expect(lines.every((line) => line.length <= 8192)).toBe(true);
  const [named, said, nested, many, whole] = lines.map((line) => JSON.parse(line));
  expect(named).toMatchObject({ level: "warn", role: "test", port: 53, msg: "a name" });
  expect(named.name).toMatch(/\.\.\. \(800000 characters\)$/);
  expect(said.msg).toMatch(/\.\.\. \(800000 characters\)$/);
  expect(nested.list[0].name).toMatch(/characters\)$/);
  expect(many).toMatchObject({ level: "warn", msg: "many", cut: expect.stringMatching(/^\d+ characters$/) });
  expect(whole.text).toHaveLength(4000);
});

test("a terminal gets time, level, role and message, then the fields", async () => {
  const [line] = await linesOf(
    `log.warn({ zone: "example.com", many: 2, reason: "not found", to: null }, "a zone");`,
    true,
  );
  const fields = String.raw`zone=example\.com many=2 reason="not found" to=null`;
  expect(line).toMatch(
    new RegExp(String.raw`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z WARN  test       a zone ${fields}$`),
  );
});

test("a terminal gets each entry as one line without control sequences", async () => {
  const odd = ["a\r\nforged", "\u001b[31mred", "\u0000", "\u009b31m", "\u007f", "\u2028", "\u202eleft", "\ud800"];
  const lines = await linesOf(
    `for (const text of ${JSON.stringify(odd)}) log.warn({ name: text, [text]: [text] }, text);`,
    true,
  );
  expect(lines).toHaveLength(odd.length);
  expect(lines.filter((line) => /[\p{Cc}\p{Bidi_Control}\u2028]/u.test(line))).toEqual([]);
});
