import { array, asyncProperty, assert as check, constantFrom, record, shuffledSubarray } from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../../../test/runs.ts";
import { printRdata } from "../../../dns/rdata/codec.ts";
import { typeCoded } from "../../../dns/type-names.ts";
import { nameToApi } from "../../../dns/wire/name.ts";
import { readPart } from "../../../sync/contents.ts";
import { grantOf } from "../../access/permit.ts";
import { type ReadZone, readZoneFile } from "./read.ts";

const zone = "example.com";
const head = "$ORIGIN example.com.\n$TTL 600\n@ SOA ns admin 1 2h 1h 2w 5m\n";
const loadHead = { account_id: "account", zone_id: "zone", now: 7 };

/** Returns the contents of the parts and of the rows, for a file cut into pieces. */
async function read(file: string, pieceOctets = 1000) {
  const octets = Buffer.from(file);
  const options = { zone, mostAnswers: 10, access: [grantOf({})], head: loadHead };
  const steps = readZoneFile(function* () {
    for (let at = 0; at < octets.length; at += pieceOctets) yield octets.subarray(at, at + pieceOctets);
  }, options);
  let parts: string[] = [];
  let rows: string[] = [];
  let passes = 1;
  for (;;) {
    const { value, done } = await steps.next();
    if (done) return { parts: parts.sort(), rows: rows.sort(), passes, zone: value as ReadZone };
    if (value === "restart") {
      [parts, rows] = [[], []];
      passes++;
      continue;
    }
    rows.push(...Buffer.from(value.slice.rows).toString().trimEnd().split("\n").map(recordOfRow));
    for (const { owner, type, ttl, rdata } of readPart(value.slice.part)) {
      const text = rdata.map((each) => printRdata(typeCoded(type), each)).sort();
      parts.push(`${nameToApi(owner)} ${typeCoded(type).name} ${ttl} ${text.join(", ")}`);
    }
  }
}

function recordOfRow(row: string): string {
  const [account, zoneId, created, updated, domain, type, id, ttl, answers] = row.split("\t");
  expect([account, zoneId, created, updated]).toEqual(["account", "zone", "7", "7"]);
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  const parsed: { answer: string[]; id: string }[] = JSON.parse(answers!.replaceAll("\\\\", "\\"));
  return `${domain!.replaceAll("\\\\", "\\")} ${type} ${ttl} ${parsed
    .map(({ answer }) => answer.join(" "))
    .sort()
    .join(", ")}`;
}

describe("a zone file", () => {
  test("combines all answers of one name and type into a record", async () => {
    const { parts, rows, passes } = await read(`${head}www A 192.0.2.1\n A 192.0.2.2\n MX 10 m\nm 60 A 192.0.2.3\n`);
    expect(parts).toEqual([
      "m.example.com A 60 192.0.2.3",
      "www.example.com A 600 192.0.2.1, 192.0.2.2",
      "www.example.com MX 600 10 m.example.com.",
    ]);
    expect(rows).toEqual(parts.map((text) => text.replace(/\.$/, "")));
    expect(passes).toBe(1);
  });

  test("is read again when the records of one name and type are scattered", async () => {
    const file = `${head}a A 192.0.2.1\nb A 192.0.2.2\na A 192.0.2.3\na TXT x\nb 60 A 192.0.2.2\na A 192.0.2.4\n`;
    const { parts, passes, zone: made } = await read(file);
    expect(parts).toEqual([
      "a.example.com A 600 192.0.2.1, 192.0.2.3, 192.0.2.4",
      'a.example.com TXT 600 "x"',
      "b.example.com A 600 192.0.2.2",
    ]);
    expect([passes, made.records]).toEqual([2, 3]);
    expect(made.warnings).toEqual([
      "line 8: b.example.com A: TTL 60 is set to 600, that of line 5",
      "line 8: b.example.com A: duplicate data: left out",
    ]);
  });

  test("is read once when names come again with other types", async () => {
    const file = `${head}a A 192.0.2.1\nb A 192.0.2.2\na AAAA ::1\nb AAAA ::2\n`;
    expect([(await read(file)).parts.length, (await read(file)).passes]).toEqual([4, 1]);
  });

  test("may not have a CNAME record next to other data, even far apart in the file", async () => {
    const refused = read(`${head}a A 192.0.2.1\nb A 192.0.2.2\na CNAME b\n`);
    await expect(refused).rejects.toThrow(
      "zone file line 6: a.example.com has a record of type A, which cannot share a name with CNAME",
    );
    await expect(read(`${head}a HINFO x y\nb A 192.0.2.2\na CNAME b\n`)).rejects.toThrow("another type");
  });

  test("may have names with escapes and text with quotes", async () => {
    const { parts, rows } = await read(`${head}a\\.b TXT "a \\"b\\" \\\\ c"\n`);
    expect(parts).toEqual(['a\\.b.example.com TXT 600 "a \\"b\\" \\\\ c"']);
    expect(rows).toEqual(['a\\.b.example.com TXT 600 a "b" \\ c']);
  });

  test("has the same contents in any order and in pieces of any size", async () => {
    const line = record({
      owner: constantFrom("a", "b", "c.d", "@", "*.e"),
      data: constantFrom("A 192.0.2.1", "A 192.0.2.2", "TXT x", "MX 10 a", "HINFO x y", "LOC 52 N 4 E 1m", "AAAA ::1"),
    }).map(({ owner, data }) => (data.startsWith("LOC") ? `${owner} TYPE65000 \\# 1 00` : `${owner} ${data}`));
    const files = array(line, { minLength: 1, maxLength: 25 }).chain((lines) =>
      record({ lines: shuffledSubarray(lines, { minLength: lines.length }), sorted: constantFrom(lines.toSorted()) }),
    );
    const fileOf = (lines: readonly string[]) => `${head}${lines.join("\n")}\n`;
    await check(
      asyncProperty(files, constantFrom(7, 64, 10_000), async ({ lines, sorted }, pieceOctets) => {
        expect((await read(fileOf(lines), pieceOctets)).parts).toEqual((await read(fileOf(sorted))).parts);
      }),
      runs(60),
    );
  });
});
