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
async function read(file: string, pieceOctets = 1000, partial = false) {
  const octets = Buffer.from(file);
  const options = { zone, mostAnswers: 10, partial, access: [grantOf({})], head: loadHead };
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

  test("without an SOA record has the settings of a new zone, and the TTL of new records", async () => {
    const { rows, zone: made } = await read("www A 192.0.2.1\nwww 60 AAAA ::1\n");
    expect(rows).toEqual(["www.example.com A 3600 192.0.2.1", "www.example.com AAAA 60 ::1"]);
    expect(made).toEqual({
      body: {},
      records: 2,
      warnings: [
        "the zone file has no SOA record: the zone has the settings of a new zone",
        "line 1: no TTL is given: 3600 is used",
      ],
    });
    await expect(read("; nothing\n")).rejects.toThrow("the zone file has no records of the zone example.com");
    await expect(read("www.other.example. 60 A 192.0.2.1\n")).rejects.toThrow("has no records of the zone");
  });

  describe("of which good lines are taken", () => {
    const partly = (text: string) => read(`${head}${text}`, 1000, true);

    test("leaves out each bad line, and the lines that take their name from one", async () => {
      const { rows, zone: made } = await partly(
        'a A 192.0.2.1\nb..c A 192.0.2.2\n  MX 10 m\nd A 192.0.2.3.4\n  AAAA ::1\ne TXT "open\n  A 192.0.2.9\n' +
          "a CNAME b\n$GENERATE 254-257 g A 192.0.2.$\nx.example.com. SOA a b 1 2 3 4 5\nf A 192.0.2.4\n",
      );
      expect(rows).toEqual([
        "a.example.com A 600 192.0.2.1",
        "d.example.com AAAA 600 ::1",
        "f.example.com A 600 192.0.2.4",
      ]);
      expect(made.records).toBe(3);
      expect(made.warnings.map((text) => /^line (\d+): .*: left out$/.exec(text)?.[1])).toEqual([
        "5",
        "6",
        "7",
        "9",
        "10",
        "11",
        "12",
        "13",
      ]);
      expect(made.warnings[1]).toBe("line 6: the record has no owner, and no valid owner precedes it: left out");
    });

    test("names a hundred bad lines, and counts the others", async () => {
      const bad = Array.from({ length: 130 }, (_, i) => `bad${i} A nothing\n`).join("");
      const { zone: made } = await partly(`${bad}good A 192.0.2.1\n`);
      expect([made.records, made.warnings.length, made.warnings.at(-1)]).toEqual([
        1,
        101,
        "30 more lines were left out",
      ]);
    });

    test("leaves out a record whose answers are too large together, and reads scattered records twice", async () => {
      const text = `"${"x".repeat(250)}"`;
      const large = Array.from({ length: 9 }, (_, i) => `large TXT "${i}" ${Array(32).fill(text).join(" ")}\n`).join(
        "",
      );
      const {
        rows,
        zone: made,
        passes,
      } = await partly(`${large}a A 192.0.2.1\nb A nothing\nc A 192.0.2.3\na A 192.0.2.2\n`);
      expect([rows, made.records, passes]).toEqual([
        ["a.example.com A 600 192.0.2.1, 192.0.2.2", "c.example.com A 600 192.0.2.3"],
        2,
        2,
      ]);
      expect(made.warnings).toHaveLength(2);
    });

    test.for([
      ["$ORIGIN a..b", "a A 192.0.2.1\n"],
      ["$TTL soon", "a A 192.0.2.1\n"],
      ["b TXT (", "a A 192.0.2.1\n"],
    ])("is refused for a bad line on which others depend: %s", async ([line, rest]) => {
      await expect(partly(`good A 192.0.2.1\n${line}\n${rest}`)).rejects.toThrow(
        /^zone file line 5: .*: the lines after it cannot be read without it$/,
      );
    });

    test("is refused if no line is good", async () => {
      await expect(partly("a A nothing\n")).rejects.toThrow("zone file line 4: ");
    });
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
