/**
 * Writes the sources as JavaScript into `dist`, for packages: Node runs no TypeScript below a folder `node_modules`.
 * `dist` has the same folders as `src`, so that relative paths lead to the same files.
 */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { run } from "../test/programs.ts";

const tree = resolve(import.meta.dirname, "..");
const [src, dist] = [join(tree, "src"), join(tree, "dist")];

rmSync(dist, { recursive: true, force: true });
const { code, printed } = await run("tsc", ["--project", join(import.meta.dirname, "tsconfig.json")]);
if (code !== 0) throw new Error(`the sources cannot be compiled:\n${printed}`);

// tsc renames files in imports, but not the entry files of threads and processes
for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".js")) continue;
  const path = join(dist, name);
  const emitted = readFileSync(path, "utf8");
  const renamed = emitted.replace(/new URL\("(\.[^"]*)\.ts"/g, (_, entry) => {
    if (!existsSync(join(dirname(path), `${entry}.js`)))
      throw new Error(`${name} names ${entry}.ts, which is not there`);
    return `new URL("${entry}.js"`;
  });
  const left = /^(?! *(?:\*|\/\/|\/\*)).*["'`]\.[^"'`]*\.ts["'`]/m.exec(renamed);
  if (left) throw new Error(`${name} names a file of the sources, which a package does not have: ${left[0].trim()}`);
  if (renamed !== emitted) writeFileSync(path, renamed);
}
for (const name of readdirSync(src, { recursive: true, encoding: "utf8" })) {
  if (/\.(html|css|js)$/.test(name)) cpSync(join(src, name), join(dist, name), { force: false, errorOnExist: true });
}

const built = await run("node", [join(tree, "portal/build.ts"), join(dist, "portal")]);
if (built.code !== 0) throw new Error(`the portal cannot be built:\n${built.printed}`);
