/** `fairlead store import` refuses files that are not exports before it creates a directory or a store. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { run } from "../../../../test/machine/processes.ts";
import { node, tree } from "../../../../test/service/kit.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-store-"));
afterAll(() => rmSync(directory, { recursive: true }));

test.each([
  ["plain text", Buffer.from("id,action\n"), "this is not a file that `fairlead store export` wrote"],
  ["zipped, but not an export", gzipSync("something else\n"), "this is not a file that `fairlead store export`"],
  ["zipped and damaged", Buffer.from([0x1f, 0x8b, 9, 9, 9, 9]), "the file is damaged"],
  [
    "an export in another format",
    gzipSync('{"fairlead_store":9}\n'),
    "wrote the file, in format 9, which this version cannot read: Fairlead 0",
  ],
  ["a directory", undefined, "is a directory"],
])("an import of a file that is %s creates neither a directory nor a store", async (_, octets, message) => {
  const [file, data] = [join(directory, "file"), join(directory, "data")];
  if (octets) writeFileSync(file, octets);
  const args = ["store", "import", octets ? file : directory, "--data", data];
  const { code, err } = await run(node, [join(tree, "bin/fairlead.js"), ...args]);
  expect([code, err]).toEqual([1, expect.stringMatching(/^fairlead: [^\n]+\n$/)]);
  expect(err).toContain(message);
  expect(existsSync(data)).toBe(false);
});
