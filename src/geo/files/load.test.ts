/** Geo files of every kind are recognized, read, and read again after a change. */
import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { geoFiles, known } from "../../../test/engine/geo.ts";
import { composeMmdb } from "../../../test/engine/mmdb.ts";
import { runs } from "../../../test/runs.ts";
import { Problem } from "../../lib/problem.ts";
import { Geo } from "../geo.ts";
import { loadGeo } from "./load.ts";

test("the content decides the kind of a file", async () => {
  const paths = geoFiles({
    a: composeMmdb({ "192.0.2.0/24": { country: "FR" } }, { type: "Example-Country" }),
    b: "192.0.2.0,192.0.2.255,FR",
    c: "192.0.2.0/24,FR",
    d: ' {"192.0.2.0/24": {"country": "FR"}}',
    e: "\uFEFFcountry,prefix\nFR,192.0.2.0/24",
    f: "# nothing yet\n",
  });
  const { sources } = await loadGeo(paths);
  expect(sources.map(({ file, description }) => [file.path.at(-1), description])).toEqual([
    ["c", "overrides, 1 prefix"],
    ["d", "overrides, 1 prefix"],
    ["e", "overrides, 1 prefix"],
    ["a", "Example-Country of 2023-11-14"],
    ["b", "range list, 1 range"],
    ["f", "range list, 0 ranges"],
  ]);
});

test("the error names a file that is missing, compressed, or has the wrong content for its name", async () => {
  const [gz = "", mmdb = "", json = ""] = geoFiles({
    "a.csv.gz": Buffer.from([31, 139, 8, 0]),
    "b.mmdb": "text",
    "c.json": "10.0.0.0/8,FR",
  });
  await expect(loadGeo(["/nowhere/a.mmdb"])).rejects.toThrow("/nowhere/a.mmdb: ENOENT");
  await expect(loadGeo([gz])).rejects.toThrow(`${gz}: neither a MaxMind DB nor a text file`);
  await expect(loadGeo([mmdb])).rejects.toThrow(`${mmdb}: not a MaxMind DB, or cut off`);
  await expect(loadGeo([json])).rejects.toThrow(`${json}:1: not JSON`);
});

test("unchanged files are not read again", async () => {
  const paths = geoFiles({ "a.csv": "192.0.2.0,192.0.2.255,FR" });
  const data = await loadGeo(paths);
  expect((await loadGeo(paths, data)).sources[0]).toBe(data.sources[0]);
});

test("a replaced file is read again, and other files are kept; overrides that became ranges lose their precedence", async () => {
  const [a = "", b = ""] = geoFiles({ "a.csv": "192.0.2.0,192.0.2.255,FR", "b.csv": "192.0.2.0/24,DE" });
  const before = await loadGeo([a, b]);
  writeFileSync(`${b}.new`, "192.0.2.0,192.0.2.255,,,,,64500\n198.51.100.0,198.51.100.255,DE");
  renameSync(`${b}.new`, b);
  const after = await loadGeo([a, b], before);
  expect(after.sources.map(({ file }) => file.path)).toEqual([a, b]);
  expect(after.sources[0]).toBe(before.sources[1]);
  expect(known(new Geo(before), "192.0.2.1")).toMatchObject({ country: "DE" });
  expect(known(new Geo(after), "192.0.2.1")).toMatchObject({ country: "FR", asn: 64500 });
});

test("a reload that meets a bad line or a missing file is refused, and so is the next", async () => {
  const [path = ""] = geoFiles({ "a.csv": "192.0.2.0,192.0.2.255,FR\n" });
  const data = await loadGeo([path]);
  appendFileSync(path, "192.0.2.0,192.0.2.255,DE\n");
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(loadGeo([path], data)).rejects.toThrow(`${path}:2: the range overlaps`);
  expect(known(new Geo(data), "192.0.2.1")).toMatchObject({ country: "FR" });
  rmSync(path);
  await expect(loadGeo([path], data)).rejects.toThrow(`${path}: ENOENT`);
});

test("any text gives data or a Problem that names the file", async () => {
  const piece = fc.constantFrom(
    ...[
      "192.0.2.0",
      "192.0.2.9",
      "2001:db8::",
      "::ffff:10.0.0.1",
      "10.0.0.0/8",
      "::/0",
      "start",
      "end",
      "prefix",
      "US",
      "NY",
    ],
    ...[
      "1",
      "-1",
      "AS7",
      "EUROPE",
      ",",
      ",",
      ",",
      ",",
      '"',
      "\n",
      "\r\n",
      "#",
      " ",
      "{",
      "}",
      "[",
      ":",
      '"10.0.0.0/8"',
      "__proto__",
    ],
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
    fc.json(),
    fc.string(),
  );
  const [path = ""] = geoFiles({ any: "" });
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      writeFileSync(path, content);
      const result = await loadGeo([path]).catch((error: unknown) => error);
      if (result instanceof Error)
        expect([result instanceof Problem, result.message.startsWith(path)]).toEqual([true, true]);
      else expect(result).toMatchObject({ sources: [{ file: { path } }] });
    }),
    runs(500),
  );
});
