/** Zone files: every valid form, faults with their lines, and round trips of generated records. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, wireName } from "../../../test/contracts/types-answers.ts";
import { anyCharacter, runs } from "../../../test/runs.ts";
import { rdataFromApi } from "../rdata/codec.ts";
import type { RecordType } from "../rdata/record-type.ts";
import { types } from "../types.ts";
import { nameFromApi } from "../wire/name.ts";
import { WireError } from "../wire/wire.ts";
import { printEntry } from "./print.ts";
import { type FileItem, ZoneFileReader } from "./records.ts";

const origin = nameFromApi("example.com");

function itemsOf(file: string | Uint8Array, size = Number.POSITIVE_INFINITY): FileItem[] {
  const reader = new ZoneFileReader(origin);
  const octets = typeof file === "string" ? Buffer.from(file) : file;
  const items: FileItem[] = [];
  for (let at = 0; at < octets.length; at += size) items.push(...reader.push(octets.subarray(at, at + size)));
  items.push(...reader.end());
  return items;
}

/** The items of a file: printed records, and faults and warnings with their lines. */
const read = (file: string | Uint8Array, size?: number): string[] =>
  itemsOf(file, size).map((item) => {
    if ("record" in item) return printEntry(item.record).trimEnd().replaceAll("\t", " ");
    return "fault" in item
      ? `${item.fault.line}: ${item.fault.message}`
      : `(${item.warning.line}: ${item.warning.message})`;
  });

const www = "www.example.com. 60 IN A 192.0.2.1";

describe("one record in every form", () => {
  const forms: [what: string, file: string][] = [
    ["a relative name", "www 60 IN A 192.0.2.1\n"],
    ["an absolute name", "www.example.com. 60 IN A 192.0.2.1\n"],
    ["class before TTL", "www IN 60 A 192.0.2.1\n"],
    ["no class", "www 60 A 192.0.2.1\n"],
    ["a class by its number", "www 60 CLASS1 A 192.0.2.1\n"],
    ["a type by its number", "www 60 IN TYPE1 192.0.2.1\n"],
    ["RDATA in generic form", "www 60 IN A \\# 4 c0000201\n"],
    ["generic RDATA in groups", "www 60 IN TYPE1 \\# 4 c000 ( 02\n 01 )\n"],
    ["a TTL with a unit", "www 1m A 192.0.2.1\n"],
    ["$TTL", "$TTL 1M\nwww A 192.0.2.1\n"],
    ["$ORIGIN, relative", "$ORIGIN www\n@ 60 A 192.0.2.1\n"],
    ["$ORIGIN, absolute, in lower case", "$origin com.\nwww.example 60 A 192.0.2.1\n"],
    ["parentheses over lines", "www 60 ( ; comment )\n IN\n A\n\n 192.0.2.1 ) ; end\n"],
    ["parentheses without blanks", "www 60(IN)A(192.0.2.1)\n"],
    ["tabs and blanks", "www\t 60\t\tIN  A \t192.0.2.1  \n"],
    ["line ends as in DOS", "www 60 IN (\r\n A\r\n 192.0.2.1 )\r\n"],
    ["a byte order mark", "\ufeffwww 60 IN A 192.0.2.1\n"],
    ["a last line without a line end", "www 60 IN A 192.0.2.1"],
    ["comments and empty lines", "; a file\n\n   ; of zones\nwww 60 A 192.0.2.1;x\n\n"],
    ["escapes in a name", "\\119w\\w 60 A 192.0.2.1\n"],
    ["lower case mnemonics", "www 60 in a 192.0.2.1\n"],
  ];
  for (const [what, file] of forms) {
    test(what, () => {
      expect(read(file)).toEqual([www]);
      expect(read(file, 1)).toEqual([www]);
    });
  }
});

test("a line that begins with a blank has the owner of the previous record, even after $ORIGIN", () => {
  expect(read("www 60 A 192.0.2.1\n$ORIGIN other.example.\n 60 A 192.0.2.2\n")).toEqual([
    www,
    "www.example.com. 60 IN A 192.0.2.2",
  ]);
});

test("the TTL is the record's, $TTL's, the previous record's, or the SOA record's minimum", () => {
  const soa = "@ SOA ns mail 1 1h 1d 2w 5m\n";
  expect(read(`${soa}www A 192.0.2.1\n`)).toEqual([
    "(1: no TTL is given: the SOA record's minimum is used)",
    "example.com. 300 IN SOA ns.example.com. mail.example.com. 1 3600 86400 1209600 300",
    "www.example.com. 300 IN A 192.0.2.1",
  ]);
  expect(read("a 7 A 192.0.2.1\nb A 192.0.2.1\n$TTL 9\nc A 192.0.2.1\nd 8 A 192.0.2.1\ne A 192.0.2.1\n")).toEqual(
    ["a. 7", "b. 7", "c. 9", "d. 8", "e. 9"].map((head) => `${head.replace(".", ".example.com.")} IN A 192.0.2.1`),
  );
});

test("text keeps its octets in any encoding", () => {
  expect(read(Buffer.from('t 1 TXT "caf\xe9; (\\" \\\\\xe9" \\\xe9\\\\ plain\n', "latin1"))).toEqual([
    't.example.com. 1 IN TXT "caf\\233; (\\" \\\\\\233" "\\233\\\\" "plain"',
  ]);
});

test("values of SVCB parameters may be quoted", () => {
  expect(read('s 1 HTTPS 1 . alpn="h2,h3" port=443\n')).toEqual([
    's.example.com. 1 IN HTTPS 1 . alpn="h2,h3" port=443',
  ]);
});

describe("$GENERATE", () => {
  const cases: [line: string, owners: string[]][] = [
    ["1-3 h$ 60 A 192.0.2.$", ["h1 A 192.0.2.1", "h2 A 192.0.2.2", "h3 A 192.0.2.3"]],
    [`0-4/2 h\${1,3,d} 60 IN A 192.0.2.$`, ["h001 A 192.0.2.0", "h003 A 192.0.2.2", "h005 A 192.0.2.4"]],
    [`10-10 h\${0,4,x} 60 CNAME \${-2,0,o}`, ["h000a CNAME 10.example.com."]],
    [`171-171 \${0,3,n}.\${0,2,X} 60 CNAME a\\$b$$`, ["b.a.AB CNAME a\\$b\\$.example.com."]],
    ['1-1 m 60 MX "10 mail$"', ["m MX 10 mail1.example.com."]],
  ];
  for (const [line, records] of cases) {
    test(line, () => {
      const wanted = records.map((text) => text.replace(/^(\S+) /, "$1.example.com. 60 IN "));
      expect(read(`$GENERATE ${line}\n`)).toEqual(wanted);
    });
  }

  test("makes a limited number of records", () => {
    expect(read("$GENERATE 1-1000000000 h$ 60 A 192.0.2.1\n")).toEqual([
      "1: $GENERATE: 1-1000000000 makes 1000000000 records; at most 65536 are allowed in a file",
    ]);
  });

  test("makes a limited number of records in a file of several lines", () => {
    const lines = ["1-65000 a$ 60 A 192.0.2.1", "1-536 b$ 60 A 192.0.2.1", "1-1 c$ 60 A 192.0.2.1"];
    const items = read(lines.map((line) => `$GENERATE ${line}\n`).join(""));
    expect(items).toHaveLength(65_537);
    expect(items.at(-1)).toBe(
      "3: $GENERATE: 1-1 makes 1 records, and earlier lines have made 65536; at most 65536 are allowed in a file",
    );
  });
});

describe("a fault is reported with its line, and reading continues", () => {
  const cases: [what: string, line: string, message: string, at?: number][] = [
    ["$INCLUDE", "$INCLUDE /etc/passwd", "$INCLUDE is not supported: put the lines of the other file here"],
    ["another directive", "$FOO 1", '"$FOO" is not a directive'],
    ["$TTL below 0", "$TTL -1", '"-1" is not a TTL: 0 to 2147483647 seconds, or a time such as 1h30m'],
    [
      "a TTL above 31 bits",
      "a 2147483648 A 192.0.2.1",
      '"2147483648" is not a TTL: 0 to 2147483647 seconds, or a time such as 1h30m',
    ],
    [
      "a TTL whose units overflow",
      "a 99999w A 192.0.2.1",
      '"99999w" is not a TTL: 0 to 2147483647 seconds, or a time such as 1h30m',
    ],
    ["an unknown type", "a 60 FOO bar", 'record type "FOO" is not known'],
    [
      "a type without a presentation format",
      "a 60 WKS 192.0.2.1 6 25",
      'RDATA of type WKS can only be read in the form "\\# length hex"',
    ],
    ["another class", "a 60 CH A 192.0.2.1", "class CH is not supported, only IN"],
    ["wrong RDATA", "a 60 A 192.0.2.256", 'A record: address "192.0.2.256" is not an IPv4 address'],
    ["too many fields", "a 60 A 192.0.2.1 x", 'A record: rdata has "x" after its last field'],
    ["no RDATA", "a 60 A", "the A record at a.example.com. has no RDATA"],
    ["no type", "a 60 IN", "the record has no type"],
    ["a quote that does not end", 'a 60 TXT "x', "has a quote that does not end on its line"],
    ["an extra parenthesis", "a 60 A 192.0.2.1 )", 'has a ")" without "("'],
    ["NUL", "a\0b 60 A 192.0.2.1", "has the control character \\000, which must be escaped"],
    ["a label of 64 octets", `${"a".repeat(64)} 60 A 192.0.2.1`, "has a label longer than 63 octets"],
    ["an empty label", "a..b 60 A 192.0.2.1", '"a..b" has an empty label'],
    ["a backslash at the end", "a 60 TXT x\\", "has a backslash at the end of a line"],
  ];
  for (const [what, line, message] of cases) {
    test(what, () => {
      const items = read(`; a comment\n${line}\nwww 60 A 192.0.2.1\n`);
      expect(items[0]).toMatch(/^2: /);
      expect(items[0]).toContain(message);
      expect(items.at(-1)).toBe(www);
    });
  }

  test("an open parenthesis is reported with its line", () => {
    expect(read("www 60 A 192.0.2.1\na 60 A (\n192.0.2.1\n\n")).toEqual([www, '2: has a "(" without ")"']);
  });

  test("the first record must have an owner", () => {
    expect(read(" 60 A 192.0.2.1\n")).toEqual(["1: the record has no owner, and no valid owner precedes it"]);
  });

  test("the first record must have a TTL, or follow $TTL", () => {
    expect(read("a A 192.0.2.1\n")).toEqual(["1: the record has no TTL, and there is neither $TTL nor an earlier TTL"]);
  });
});

test("DNSSEC records are left out, with a warning", () => {
  expect(read("a 60 RRSIG A 13 2 60 20300101000000 20290101000000 1 example.com. AAAA\n")).toEqual([
    "(1: RRSIG records are left out: signing the zone creates them again)",
  ]);
});

test("a file in UTF-16 or with an endless entry is refused as a whole", () => {
  expect(() => read(Buffer.from("\ufeffa 60 A 192.0.2.1\n", "utf16le"))).toThrow("UTF-16");
  const endless = Buffer.alloc(65_536, "a");
  const reader = new ZoneFileReader(origin);
  const feed = () => {
    for (let i = 0; i < 10; i++) for (const _ of reader.push(endless));
  };
  expect(feed).toThrow("an entry is longer than 300000 octets");
});

describe("generated input", () => {
  const kept = ({ name, served, writable }: RecordType) => served === "as-is" && (writable || name === "SOA");
  const inFiles = Object.values(types).filter(kept);
  for (const type of inFiles) {
    test(`${type.name}: a printed record is read as the same record`, () => {
      const property = fc.property(
        wireName,
        fc.nat(0x7fffffff),
        answerOf(type),
        fc.integer({ min: 1, max: 200 }),
        (owner, ttl, answer, size) => {
          const record = { owner, ttl, type, rdata: rdataFromApi(type, answer) };
          const items = itemsOf(Buffer.from(printEntry(record)), size);
          expect(items.filter((item) => !("warning" in item))).toEqual([{ record: { line: 1, ...record } }]);
        },
      );
      fc.assert(property, runs(100));
    });
  }

  test("random pieces yield records, faults or a WireError", () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        "$TTL 1\n",
        "$ORIGIN a\n",
        "$GENERATE 1-3 ",
        "(",
        ")",
        '"',
        "\\",
        "\n",
        " ",
        ";",
        "A 192.0.2.1\n",
        "TXT ",
        `\${1,2,n}`,
        "$",
      ),
      fc.string({ maxLength: 5, unit: anyCharacter }),
    );
    const property = fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      try {
        itemsOf(parts.join(""));
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
      }
    });
    fc.assert(property, runs(1000));
  });
});
