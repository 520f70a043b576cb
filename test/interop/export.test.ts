/** Other software accepts exported zones, and samples of every type survive import and export. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../machine/processes.ts";
import { type Service, service } from "../service/kit.ts";
import { samples, sampleZone, zoneFileLine } from "./samples.ts";

const directory = mkdtempSync(join(tmpdir(), "fairlead-export-"));
const file = join(directory, "exported.zone");
let ours: Service;
let exported: string;

const lines = samples.filter(({ type }) => type !== "NS").map((sample) => zoneFileLine(sample, 1234));
const odd = [
  `*.odd.${sampleZone}. 60 IN TXT "" "${"x".repeat(255)}" "\\000\\255"`,
  `\\000\\@\\..odd.${sampleZone}. 60 IN A 192.0.2.1`,
  `${"a".repeat(63)}.${"b".repeat(63)}.odd.${sampleZone}. 2147483647 IN AAAA ::`,
  `cut.${sampleZone}. 60 IN NS ns.cut.${sampleZone}.`,
  `ns.cut.${sampleZone}. 60 IN A 192.0.2.53`,
];
const zoneFile = [`@ 3600 IN SOA ns admin.odd 1 2 3 4 5`, ...lines, ...odd, ""].join("\n");

const call = async (method: string, path: string, body?: string) => {
  const headers = { "X-NSONE-Key": ours.key };
  const reply = await fetch(`${ours.url}/v1/${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  expect([reply.status, reply.ok ? "" : await reply.text()]).toEqual([200, ""]);
  return await reply.text();
};

beforeAll(async () => {
  ours = await service();
  await call("PUT", `import/zonefile/${sampleZone}`, zoneFile);
  exported = await call("GET", `export/zonefile/${sampleZone}`);
  writeFileSync(file, exported);
});

afterAll(async () => {
  rmSync(directory, { recursive: true });
  await ours?.stop();
});

test.each([
  ["named-checkzone", ["-i", "none", sampleZone, file]],
  ["kzonecheck", ["-o", sampleZone, file]],
  ["/usr/sbin/nsd-checkzone", [sampleZone, file]],
  ["ldns-read-zone", [file]],
])("%s accepts the export", async (tool, args) => {
  const { code, out, err } = await run(tool, args);
  expect([code, `${out}${err}`]).toEqual([0, expect.not.stringMatching(/error/i)]);
});

test("every record of the file is in the export", () => {
  const made = new Set(["SOA", "NS"].map((type) => `${sampleZone}. ${type}`));
  const owners = exported
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"))
    .map((line) => line.split("\t"))
    .filter(([owner, , , type]) => !made.has(`${owner} ${type}`));
  expect(owners).toHaveLength(lines.length + odd.length);
});
