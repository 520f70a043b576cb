/** Names and lengths of time as people type them. */
import { expect, test } from "vitest";
import { fullName, relativeName } from "./relative.ts";
import { csvOf } from "./save-file.ts";
import { scanTtl } from "./ttl.ts";

test("names are relative to the zone", () => {
  expect(
    ["@", "", "www", "www.example.com", "www.example.com.", "Example.com"].map((n) => fullName(n, "example.com")),
  ).toEqual(["example.com", "example.com", "www.example.com", "www.example.com", "www.example.com", "example.com"]);
  expect(["example.com", "www.example.com", "other.example"].map((n) => relativeName(n, "example.com"))).toEqual([
    ...["@", "www", "other.example"],
  ]);
});

test("lengths of time have units", () => {
  expect(["300", "5m", "1h30m", "1d", "0", "x", "", "1x", "-1"].map(scanTtl)).toEqual([
    ...[300, 300, 5400, 86_400, 0],
    ...[undefined, undefined, undefined, undefined],
  ]);
});

test("a table has no formulas, and quotes what has to be quoted", () => {
  expect(csvOf([["name", 'a "b"', "=1+1", "x,y", -1]])).toBe(`name,"a ""b""",'=1+1,"x,y",-1\r\n`);
});
