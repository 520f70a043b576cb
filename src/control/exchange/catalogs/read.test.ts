/** The zones that catalogs list, and the faults that break catalogs (RFC 9432). */
import { describe, expect, test } from "vitest";
import { rdataToApi, scanRdata } from "../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../dns/type-names.ts";
import { BrokenCatalog, type CatalogRecord, CatalogRecords, readMembers } from "./read.ts";

const catalog = "catalog.invalid";
const policy = { edition: "managed", allowSuffix: [] } as const;

/** Each line has a name below the catalog, a type and RDATA; lines with the same name and type become one record. */
function records(lines: readonly string[]): CatalogRecord[] {
  const all = new Map<
    string,
    { domain: string; type: string; answers: { id: string; answer: (string | number)[] }[] }
  >();
  for (const line of lines) {
    const [name = "", type = "", ...rdata] = line.split(" ");
    const known = typeNamed(type)!;
    const record = all.get(`${name} ${type}`) ?? {
      domain: name === "@" ? catalog : `${name}.${catalog}`,
      type,
      answers: [],
    };
    record.answers.push({ id: "", answer: rdataToApi(known, scanRdata(known, rdata.join(" "))) });
    all.set(`${name} ${type}`, record);
  }
  return [...all.values()].map((record) => ({
    ...record,
    answers: record.answers.map((each) => ({ ...each, meta: {} })),
  }));
}

const read = (...lines: string[]) => readMembers(catalog, records(lines), policy);
const version = 'version TXT "2"';
const listed = (zone: string, node: string, rest = {}) => ({ zone, node, groups: [], coo: null, ...rest });

describe("a catalog lists zones (sections 4.2 and 4.4):", () => {
  const cases: readonly [string, readonly string[], readonly object[]][] = [
    ["none", [], []],
    [
      "some, in any spelling",
      ["b.zones PTR B.Example.", "a.zones PTR a.example."],
      [listed("a.example", "a"), listed("b.example", "b")],
    ],
    [
      "with properties",
      ["a.zones PTR a.example.", 'group.a.zones TXT "y"', 'group.a.zones TXT "x"', "coo.a.zones PTR Other.invalid."],
      [listed("a.example", "a", { groups: ["x", "y"], coo: "other.invalid" })],
    ],
    [
      "with malformed properties, which are ignored",
      [
        "a.zones PTR a.example.",
        'group.a.zones TXT "x" "y"',
        ...["coo.a.zones PTR one.invalid.", "coo.a.zones PTR two.invalid."],
        'colour.a.zones TXT "red"',
      ],
      [listed("a.example", "a")],
    ],
    [
      "next to unknown names, which are ignored",
      ["deep.a.zones PTR deep.example.", "a.others PTR a.example.", 'settings.ext TXT "1"', "zones PTR z.example."],
      [],
    ],
    ["whose name ends like the catalog's", ["a.zones PTR x\\.catalog.invalid."], [listed(`x\\.${catalog}`, "a")]],
    ["under a label that contains a dot", ["a\\.b.zones PTR a.example."], [listed("a.example", "a\\.b")]],
  ];

  test.each(cases)("%s", (_, lines, expected) => {
    expect(read(version, ...lines)).toEqual(expected);
  });
});

describe("a catalog is broken by (sections 4.2, 4.3.1 and 5.1)", () => {
  const cases: readonly [string, readonly string[], string][] = [
    ["no version", ["a.zones PTR a.example."], "has no version"],
    ["version 1", ['version TXT "1"'], 'has version "1", not "2"'],
    ["version 3", ['version TXT "3"'], 'has version "3", not "2"'],
    ["two versions", [version, 'version TXT "3"'], "has several versions"],
    ["a version in two parts", ['version TXT "2" ""'], 'has version "", not "2"'],
    ["a zone twice", [version, "a.zones PTR a.example.", "b.zones PTR A.example."], "lists a.example twice"],
    [
      "two zones at one label",
      [version, "a.zones PTR a.example.", "a.zones PTR b.example."],
      "has several zones at a.zones",
    ],
    ["the catalog itself", [version, `a.zones PTR ${catalog}.`], "which is inside the catalog itself"],
    ["a zone below the catalog", [version, `a.zones PTR deep.${catalog}.`], "which is inside the catalog itself"],
    ["a public suffix", [version, "a.zones PTR co.uk."], "not allowed for a zone"],
    ["a single label", [version, "a.zones PTR example."], "not allowed for a zone"],
    ["the root", [version, "a.zones PTR ."], "not allowed for a zone"],
    ["a wildcard", [version, "a.zones PTR *.example.com."], "not allowed for a zone"],
  ];

  test.each(cases)("%s", (_, lines, reason) => {
    expect(() => read(...lines)).toThrow(reason);
  });

  test("too many zones", () => {
    const lines = Array.from({ length: 10_001 }, (_, i) => `n${i}.zones PTR z${i}.example.`);
    expect(() => read(version, ...lines)).toThrow("lists more than 10000 zones");
  });
});

test("a catalog with more records than can be held is broken, regardless of their contents", () => {
  const gathered = new CatalogRecords(1000);
  const [first, ...others] = records(Array.from({ length: 20 }, (_, i) => `n${i} TXT "${"x".repeat(50)}"`));
  gathered.add(first!);
  gathered.add({ ...first!, type: "A" });
  expect(gathered.kept).toEqual([first]);
  expect(() => others.forEach((record) => void gathered.add(record))).toThrow(BrokenCatalog);
  expect(gathered.kept.length).toBeLessThan(20);
});
