import { join } from "node:path";
import { output } from "./processes.ts";

const tree = join(import.meta.dirname, "../..");

/** What commands under `test` and `bench` write themselves, and which therefore does not count as a change. */
const written = [":!test/*/logs/*", ":!bench/results.json", ":!bench/RESULTS.md"];

/** The commit of this checkout, for a log or a result; it ends with `-dirty` if files differ from it. */
export async function commit(): Promise<string> {
  const name = (await output("git", ["-C", tree, "describe", "--always"])).trim();
  const changed = await output("git", [
    "-C",
    tree,
    "status",
    "--porcelain",
    "--untracked-files=no",
    "--",
    ".",
    ...written,
  ]);
  return changed === "" ? name : `${name}-dirty`;
}
