/**
 * The portal's pages as files: a package has them, and a checkout builds them once, beside the service and at the lowest
 * priority. What was built is kept under a digest of the portal's sources.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { PortalSource } from "../../http/pages/portal.ts";
import type { Log } from "../../lib/log.ts";
import { lowerProcess } from "../../lib/system/priority.ts";

const tree = resolve(import.meta.dirname, "../../..");
const packaged = join(tree, "dist/portal");
const sources = join(tree, "portal");
const program = join(sources, "build.ts");
const manifest = "pages.json";
/** The folder in which `npm run portal` builds. */
export const builtBefore = join(sources, "dist");
/** Builds that stay: another control may still serve the one before. */
const kept = 2;

export class PortalFiles implements PortalSource {
  folder: string | undefined;
  failure: string | undefined;
  readonly #parent: string;
  readonly #log: Log;
  #build: ChildProcess | undefined;
  #isClosed = false;

  /** A build is made in a folder of `parent`. */
  constructor(parent: string, log: Log) {
    this.#parent = parent;
    this.#log = log;
  }

  /** Finds the pages, or builds them. Never throws: the reason is logged, and shown in place of the portal. */
  async provide(): Promise<void> {
    try {
      this.folder = existsSync(program) ? await this.#ofCheckout() : packaged;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failure = `The portal is not built: ${reason}`;
      if (!this.#isClosed) this.#log.warn({ reason }, "the portal is not built; the API works without it");
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#build?.kill();
  }

  async #ofCheckout(): Promise<string> {
    const digest = await digestOf(sources);
    const built = join(this.#parent, digest);
    const found = [join(builtBefore, digest), built].find((folder) => existsSync(join(folder, manifest)));
    if (found !== undefined) return found;
    if (!existsSync(join(tree, "node_modules/vite"))) {
      throw new Error(
        `the tools that build it are not installed; run \`npm ci\` in ${tree} and start the service again`,
      );
    }
    await mkdir(this.#parent, { recursive: true });
    await this.#run(built);
    await removeOld(this.#parent);
    return built;
  }

  #run(folder: string): Promise<void> {
    return new Promise((done, failed) => {
      if (this.#isClosed) return failed(new Error("the service ends"));
      const build = spawn(process.execPath, [program, folder], { cwd: tree, stdio: ["ignore", "ignore", "pipe"] });
      this.#build = build;
      if (build.pid !== undefined) lowerProcess(build.pid, "bulk");
      let printed = "";
      build.stderr.setEncoding("utf8").on("data", (text: string) => {
        printed = (printed + text).slice(-2000);
      });
      build.once("error", failed);
      build.once("close", (code) => {
        this.#build = undefined;
        if (code === 0) return done();
        failed(new Error(`\`npm run portal\` in ${tree} failed with ${code}: ${printed.trim()}`));
      });
    });
  }
}

async function removeOld(parent: string): Promise<void> {
  // another process may be building: its folder has a name with a dot until it is whole
  const builds = (await readdir(parent)).filter((name) => !name.startsWith(".")).map((name) => join(parent, name));
  const byAge = builds.map((path) => ({ path, at: statSync(path).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(kept)) await rm(path, { recursive: true, force: true });
}

/** A digest of the portal's sources and of the versions of all packages. */
async function digestOf(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(builtBefore))
    .sort();
  const hash = createHash("sha256");
  for (const path of [...files, join(tree, "package-lock.json")]) {
    hash.update(`${path.slice(tree.length)}\n`).update(await readFile(path));
  }
  return hash.digest("hex").slice(0, 16);
}
