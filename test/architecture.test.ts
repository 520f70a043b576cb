/** Checks the layers and rooms of the sources: imports, folders, and where SQL and the environment are used. */
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
  storage: ["sync", "lib"],
  http: ["lib"],
  control: ["answer", "dns", "geo", "http", "net", "storage", "sync", "lib"],
};
const pure = ["dns", "answer"];

/** The rooms of control from the ground up: each may import those before it. Files directly in control are above all. */
const roomsOfControl = [
  ...["kit", "access", "write", "feeds", "zones", "activity", "people", "zonefiles"],
  ...["exchange", "steering", "changesets", "usage", "demo", "system", "attention"],
];

/** Folders with one file for each entry of a registry; the number of their files is not limited. */
const registries = ["answer/filters", "dns/rdata", "control/steering/lint/rules", "storage/migrations"];
const mostFiles = 15;

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

/** The path below src that a relative import of a file leads to; undefined for packages. */
function pathOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? relative(src, resolve(dirname(join(src, file)), specifier)) : undefined;
}

/** The layer that an import of a file leads to; undefined for packages. */
function target(file: string, specifier: string): string | undefined {
  const path = pathOf(file, specifier);
  if (path === undefined) return undefined;
  return path.startsWith("..") ? "outside" : path.includes("/") ? path.split("/")[0]! : "";
}

/** The floor of a file: -1 below control, then its rooms in their order, then the files of control itself. */
function roomOfControl(name: string): number {
  if (!name.startsWith("control/")) return -1;
  const room = name.split("/")[1]!;
  return room.endsWith(".ts") ? roomsOfControl.length : roomsOfControl.indexOf(room);
}

const ancestors = (name: string): string[] => name.split("/").map((_, depth, parts) => parts.slice(0, depth).join("/"));

/** The folder directly inside `parent` that a file is in; undefined for files elsewhere or directly in `parent`. */
const roomIn =
  (parent: string) =>
  (name: string): string | undefined => {
    const inside = parent === "" ? name : name.startsWith(`${parent}/`) ? name.slice(parent.length + 1) : "";
    return inside.includes("/") ? inside.split("/")[0] : undefined;
  };

type Ways = ReadonlyMap<string, ReadonlySet<string>>;

/** The imports between folders, with the folder that `folderOf` gives each file. */
function foldersImporting(folderOf: (name: string) => string | undefined): Ways {
  const ways = new Map<string, Set<string>>();
  for (const { name, text } of sources) {
    const from = folderOf(name);
    if (from === undefined) continue;
    const known = ways.get(from) ?? new Set();
    ways.set(from, known);
    for (const specifier of imports(text)) {
      const path = pathOf(name, specifier);
      const to = path === undefined || path.startsWith("..") ? undefined : folderOf(path);
      if (to !== undefined && to !== from) known.add(to);
    }
  }
  return ways;
}

/** The folders whose imports lead back to themselves, grouped by circle. */
function circles(ways: Ways): string[][] {
  const reached = new Map([...ways.keys()].map((from) => [from, reachedFrom(ways, from)]));
  const inCircle = [...ways.keys()].filter((folder) => reached.get(folder)!.has(folder)).sort();
  const circleOf = (folder: string) =>
    inCircle.filter((other) => reached.get(folder)!.has(other) && reached.get(other)!.has(folder));
  return [...new Map(inCircle.map((folder) => [circleOf(folder).join(), circleOf(folder)])).values()];
}

function reachedFrom(ways: Ways, from: string): Set<string> {
  const reached = new Set<string>();
  const next = [...(ways.get(from) ?? [])];
  for (let folder = next.pop(); folder !== undefined; folder = next.pop()) {
    if (reached.has(folder)) continue;
    reached.add(folder);
    next.push(...(ways.get(folder) ?? []));
  }
  return reached;
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

  test("every layer has a folder", () => {
    expect(Object.keys(layers).filter((layer) => !files.some((file) => file.layer === layer))).toEqual([]);
  });

  test("every folder under src is a layer", () => {
    const known = new Set([...Object.keys(layers), "cli", ""]);
    expect([...new Set(files.map((file) => file.layer))].filter((layer) => !known.has(layer))).toEqual([]);
  });

  test("the rooms of control are in a strict order", () => {
    const wrong = sources.flatMap(({ name, text }) => {
      const from = roomOfControl(name);
      return imports(text)
        .map((specifier) => pathOf(name, specifier))
        .filter((to) => to !== undefined && roomOfControl(to) > from)
        .map((to) => `${name} -> ${to}`);
    });
    expect(wrong.filter((way) => way.startsWith("control/"))).toEqual([]);
    const rooms = new Set(sources.map(({ name }) => name).filter((name) => /^control\/\w+\//.test(name)));
    expect(new Set([...rooms].map((name) => name.split("/")[1]))).toEqual(new Set(roomsOfControl));
  });

  test("no folder is in a circle of imports, of values or of types", () => {
    expect(circles(foldersImporting(dirname))).toEqual([]);
    const parents = new Set(sources.flatMap(({ name }) => ancestors(name)));
    for (const parent of parents) expect(circles(foldersImporting(roomIn(parent)))).toEqual([]);
  });

  test(`no folder directly contains more than ${mostFiles} files`, () => {
    const counts = new Map<string, number>();
    for (const { name } of sources) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
    const large = [...counts].filter(([folder, count]) => count > mostFiles && !registries.includes(folder));
    expect(large).toEqual([]);
  });

  test("a circle of folders would be found", () => {
    const ways = new Map([
      ["a", new Set(["b"])],
      ["b", new Set(["c"])],
      ["c", new Set(["b"])],
    ]);
    expect(circles(ways)).toEqual([["b", "c"]]);
  });

  test("the protocol and the engine are pure", () => {
    const impure =
      /node:(fs|net|dgram|http|https|tls|timers|worker_threads)|Date\.now|Math\.random|setTimeout|setInterval/;
    const wrong = sources.filter((file) => pure.includes(file.layer) && impure.test(file.text));
    expect(wrong.map((file) => file.name)).toEqual([]);
  });

  test("SQL is only in storage, in files named store.ts and in sync's carriers for PostgreSQL", () => {
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

  test("only putRecord writes records, except those of transfers and of deleted zones that are brought back", () => {
    const writers = sources.filter(({ text }) => /\brecords(Put|Removed)\b/.test(text)).map(({ name }) => name);
    expect(writers.sort()).toEqual([
      "control/exchange/transfers/rrsets.ts",
      "control/zones/deleted/write.ts",
      "control/zones/model/record/store.ts",
      "control/zones/records/put.ts",
    ]);
  });

  test("the second implementation of permissions imports nothing from the service", () => {
    const opinion = join(src, "../test/permissions");
    const wrong = readdirSync(opinion)
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => imports(readFileSync(join(opinion, name), "utf8")))
      .filter(
        (specifier) =>
          !/^(\.\/[\w-]+\.ts|node:[\w/]+|\.\.\/(service\/kit|machine\/(commit|mutants|patched|processes))\.ts)$/.test(
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
