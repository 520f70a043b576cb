/** A store that one process of the test run makes and migrates; services get copies, which takes a quarter off their start. */
import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "../machine/once.ts";
import { output } from "../machine/processes.ts";

/** Copies the store into the data directory of a service that has not started yet. */
export async function copyStore(data: string): Promise<void> {
  const made = await once(tmpdir(), "made store", makeStore);
  await output("cp", ["-a", join(made, "store"), data]);
  // hard links, as a first start makes them
  const programs = readdirSync(made).filter((name) => name.startsWith("pg-"));
  await output("cp", ["-al", ...programs.map((name) => join(made, name)), data]);
}

/** Returns a data directory with a store without accounts. */
async function makeStore(): Promise<string> {
  const [{ startPostgres }, { bringUpToDate }, { newLog }] = await Promise.all([
    import("../../src/storage/embedded/postgres.ts"),
    import("../../src/storage/db.ts"),
    import("../../src/lib/log.ts"),
  ]);
  const log = newLog("silent", "test");
  const directory = mkdtempSync(join(tmpdir(), "fairlead-made-"));
  const server = await startPostgres({ directory, log });
  await bringUpToDate(server.url, log);
  await server.stop();
  return directory;
}
