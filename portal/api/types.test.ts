/** The types of the API are those of its document, and pages use nothing of the sources. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { files, typesOf } from "./generate.ts";

const portal = join(import.meta.dirname, "..");

test("types.ts is what npm run portal:types writes", () => {
  expect(readFileSync(files.types, "utf8") === typesOf(JSON.parse(readFileSync(files.document, "utf8")))).toBe(true);
});

test("pages import nothing from the sources of the service", () => {
  const sources = readdirSync(portal, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(?!dist).*(?<!\.test)\.tsx?$/.test(name),
  );
  expect(sources.length).toBeGreaterThan(50);
  const outside = sources.flatMap((name) => {
    const text = readFileSync(join(portal, name), "utf8");
    const depth = name.split("/").length;
    const up = "../".repeat(depth);
    return [...text.matchAll(/from "((?:\.\.\/)+)[^"]*"/g)]
      .filter(([, way = ""]) => way.length >= up.length)
      .map(() => name);
  });
  expect(outside).toEqual([]);
});
