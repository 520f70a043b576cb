/** What the processes of a test run share: one of them makes it, the others wait for it. */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The text that `make` returned to the first caller. The other callers, in any process, wait until that has succeeded or
 * failed. Callers belong together if they name the same directory and the same thing.
 */
export async function once(directory: string, name: string, make: () => Promise<string>): Promise<string> {
  const [begun, ready, failed] = ["begun", "ready", "failed"].map((state) => join(directory, `${name}.${state}`)) as [
    string,
    string,
    string,
  ];
  if (claims(begun)) {
    await make().then(
      (text) => writeWhole(ready, text),
      (error) => writeWhole(failed, String(error)),
    );
  }
  while (!existsSync(ready)) {
    if (existsSync(failed)) throw new Error(`the tests have no ${name}: ${readFileSync(failed, "utf8")}`);
    await delay(10);
  }
  return readFileSync(ready, "utf8");
}

function writeWhole(file: string, text: string) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

function claims(file: string): boolean {
  try {
    writeFileSync(file, "", { flag: "wx" });
    return true;
  } catch {
    return false;
  }
}
