/** The layer table, held by a test: who may import whom, where SQL and the environment may be read. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const src = resolve(import.meta.dirname, "../src");

const layers: Record<string, readonly string[]> = {
  lib: [],
  config: ["lib"],
  dns: ["lib"],
  answer: ["dns", "lib"],
  geo: ["dns", "lib"],
  net: ["dns", "lib"],
  sync: ["dns", "lib"],
  edge: ["answer", "geo", "net", "sync", "dns", "lib"],
  probe: ["net", "sync", "lib"],
  storage: ["sync", "lib"],
  http: ["lib"],
  control: ["answer", "dns", "geo", "http", "net", "probe", "storage", "sync", "lib"],
};
const pure = ["dns", "answer"];

const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ({
    name,
    layer: name.includes("/") ? name.split("/")[0]! : "",
    text: readFileSync(join(src, name), "utf8"),
  }));
const sources = files.filter((file) => !file.name.endsWith(".test.ts"));

const imports = (text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*["']([^"']+)["']/g)].map((match) => match[1]!);

/** The layer that a relative import of a file leads to; undefined for packages. */
function target(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = relative(src, resolve(dirname(join(src, file)), specifier));
  return path.startsWith("..") ? "outside" : path.includes("/") ? path.split("/")[0]! : "";
}

describe("architecture", () => {
  test("the source tree was found", () => {
    expect(sources.length).toBeGreaterThan(10);
  });

  for (const [layer, allowed] of Object.entries(layers)) {
    test(`${layer} imports only ${allowed.join(", ") || "nothing of ours"}`, () => {
      const wrong = sources
        .filter((file) => file.layer === layer)
        .flatMap((file) =>
          imports(file.text).map((specifier) => ({ file: file.name, to: target(file.name, specifier), specifier })),
        )
        .filter(({ to }) => to !== undefined && to !== layer && !allowed.includes(to));
      expect(wrong).toEqual([]);
    });
  }

  test("every folder under src is a layer", () => {
    const known = new Set([...Object.keys(layers), "cli", ""]);
    expect([...new Set(files.map((file) => file.layer))].filter((layer) => !known.has(layer))).toEqual([]);
  });

  test("the protocol and the engine are pure", () => {
    const impure =
      /node:(fs|net|dgram|http|https|tls|timers|worker_threads)|Date\.now|Math\.random|setTimeout|setInterval/;
    const wrong = sources.filter((file) => pure.includes(file.layer) && impure.test(file.text));
    expect(wrong.map((file) => file.name)).toEqual([]);
  });

  test("SQL stands in storage, in files named store.ts and in sync's carriers for PostgreSQL", () => {
    const sql =
      /from "kysely"|from "pg"|\bsql`|[`"]\s*(select\s+\S|insert into\s+\S|delete from\s+\S|update\s+\w+\s+set|with\s+\w+\s+as)/;
    const allowed = (name: string) =>
      name.startsWith("storage/") || name.endsWith("store.ts") || name.startsWith("sync/postgres/");
    expect(sources.filter((file) => sql.test(file.text) && !allowed(file.name)).map((file) => file.name)).toEqual([]);
  });

  test("only main.ts and config.ts read the environment", () => {
    const wrong = sources.filter(
      (file) => /process\.env/.test(file.text) && !["main.ts", "config/config.ts"].includes(file.name),
    );
    expect(wrong.map((file) => file.name)).toEqual([]);
  });

  test("the second opinion on permissions takes nothing from the service", () => {
    const opinion = join(src, "../test/permissions");
    const wrong = readdirSync(opinion)
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => imports(readFileSync(join(opinion, name), "utf8")))
      .filter(
        (specifier) =>
          !/^(\.\/[\w-]+\.ts|node:[\w/]+|\.\.\/(service\/kit|machine\/(patched|processes|seeded))\.ts)$/.test(
            specifier,
          ),
      );
    expect(wrong).toEqual([]);
  });

  test("only http/server.ts names the HTTP library", () => {
    const wrong = sources.filter((file) => /from "fastify"/.test(file.text) && file.name !== "http/server.ts");
    expect(wrong.map((file) => file.name)).toEqual([]);
  });
});
