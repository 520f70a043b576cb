#!/usr/bin/env node
// Starts the command line; on a Node that cannot run TypeScript it starts itself again with the Node of our dependencies.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const [major, minor] = process.versions.node.split(".").map(Number);
const compiled = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const main = existsSync(compiled) ? compiled : fileURLToPath(new URL("../src/main.ts", import.meta.url));

if (major > 22 || (major === 22 && minor >= 18)) {
  await import(main);
} else {
  const arch = process.arch === "arm64" ? "arm64" : "x64";
  const node = fileURLToPath(import.meta.resolve(`node-linux-${arch}/bin/node`));
  const child = spawn(node, [main, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
