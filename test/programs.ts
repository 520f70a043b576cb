/** Programs of the packages, run in the tree. */
import { spawn } from "node:child_process";
import { delimiter, join, resolve } from "node:path";

export const tree = resolve(import.meta.dirname, "..");

export interface Ended {
  readonly code: number;
  readonly printed: string;
}

/** Runs a program and returns all its output; `show` receives it as it comes. */
export function run(program: string, args: readonly string[], show: (text: string) => void = () => {}): Promise<Ended> {
  const path = [join(tree, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  return new Promise((done) => {
    const env = { ...process.env, PATH: path };
    const child = spawn(program, args, { cwd: tree, env, stdio: ["ignore", "pipe", "pipe"] });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        printed += text;
        show(text);
      });
    }
    child.on("error", (error) => done({ code: 1, printed: `${printed}${error.message}\n` }));
    child.on("close", (code) => done({ code: code ?? 1, printed }));
  });
}
