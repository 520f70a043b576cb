/**
 * Builds the portal's pages into a folder: `node portal/build.ts FOLDER`. The folder appears whole or not at all. It has
 * the files with compressed copies, and `pages.json`, which tells the service what to serve.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";
import { routes } from "./routes.ts";

const sources = import.meta.dirname;

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Builds into `folder`, unless it exists. */
async function buildPortal(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const made = mkdtempSync(join(dirname(folder), ".portal-"));
  try {
    await bundle(made);
    const page = readFileSync(join(made, "index.html"), "utf8").replaceAll("./assets/", "{{root}}assets/");
    rmSync(join(made, "index.html"));
    const files = await compressed(made);
    const paths = Object.values(routes);
    writeFileSync(join(made, "pages.json"), JSON.stringify({ routes: paths, page, files }));
    // another process may have been first
    if (!existsSync(folder)) renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** A bundle with relative addresses, so that it works below any path. */
function bundle(outDir: string) {
  // a test or a shell may have set another, with which the pages are those of development
  process.env["NODE_ENV"] = "production";
  return build({
    configFile: false,
    root: sources,
    base: "./",
    cacheDir: join(outDir, ".cache"),
    logLevel: "error",
    oxc: { jsx: { runtime: "automatic" } },
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2022",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 2000,
    },
  });
}

/** Writes compressed copies of all files. Returns the media types of the files by path. */
async function compressed(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = paths.map(async (path) => {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`${path}: no media type is known for this file`);
    const plain = readFileSync(path);
    const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(plain, quality),
      promisify<Buffer, object, Buffer>(gzip)(plain, { level: 9 }),
    ]);
    writeFileSync(`${path}.br`, br);
    writeFileSync(`${path}.gz`, gz);
    return [relative(folder, path), type] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error("usage: node portal/build.ts FOLDER");
await buildPortal(resolve(folder));
