/** Lines of CSV. */
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvLine } from "./csv.ts";

test("a line has the fields that were given, whatever their characters", () => {
  const fields = ["plain", 'a "quoted", one', " blank ", "two\nlines", ""];
  expect(parse(csvLine(fields))).toEqual([fields]);
});

test("no field begins a formula, and no invisible character stays", () => {
  const line = csvLine(["=1+1", "+1", "-1", "@x", "a\u202eb", "x\u001b[31m"]);
  expect(parse(line)).toEqual([["'=1+1", "'+1", "'-1", "'@x", "a\\u{202e}b", "x[31m"]]);
});
