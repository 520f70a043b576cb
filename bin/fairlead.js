#!/usr/bin/env node
// Starts the command line. A Node that cannot run TypeScript starts the Node in the dependencies instead.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
const sources = fileURLToPath(new URL("../src/main.ts", import.meta.url));
// a package has no sources, only what was emitted from them; in a checkout, emitted code may be old
const main = existsSync(sources) ? sources : fileURLToPath(new URL("../dist/main.js", import.meta.url));
// Set in the environment, so that child processes and threads find compiled code for all of their modules. If the code
// of a module is missing, Node loads its TypeScript compiler, which takes 15 MB in each thread. If the directory cannot
// be written, every start compiles again.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../node_modules/.cache/fairlead", import.meta.url));

if (major > 22 || (major === 22 && minor >= 18)) {
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(main);
} else {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const node = fileURLToPath(import.meta.resolve(`node-linux-${arch}/bin/node`));
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
