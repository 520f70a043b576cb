/** Cuts each call that each write makes to the store, in every way, and saves a log: node test/faults/calls.ts */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { newLog } from "../../src/lib/log.ts";
import { startPostgres } from "../../src/storage/embedded/postgres.ts";
import { savedLog } from "../machine/saved-log.ts";
import { clientOf } from "../service/client.ts";
import { service } from "../service/kit.ts";
import { cuts, StoreLink } from "../store/store-link.ts";
import { everyCallCut, keepStreams } from "./anomalies.ts";
import { writePaths } from "./write-paths.ts";

const { say, write } = await savedLog("calls", 0, import.meta.dirname);
const directory = mkdtempSync(join(tmpdir(), "fairlead-calls-"));
const postgres = await startPostgres({ directory, log: newLog("silent", "test") });
let [cases, wrongs] = [0, 0];
try {
  await using link = await StoreLink.open(postgres.url);
  await using running = await service({ flags: ["--database-url", link.url, "--rate-limit", "1000000/1"] });
  const store = new pg.Client({ connectionString: postgres.url });
  // the server ends when the rounds end, even after an error
  store.on("error", () => {});
  await store.connect();
  await keepStreams(store);
  for (const path of writePaths) {
    for (const cut of cuts) {
      const connections = { client: clientOf(running.url, running.key), link, store };
      const { calls, done, undone, refused, wrong } = await everyCallCut(path, cut, connections);
      cases += done + undone;
      wrongs += wrong.length;
      say(`${path.name}, ${calls} calls, each ${cut}: ${done} times done, ${undone} not, ${refused} refused`);
      for (const one of wrong) say(`     WRONG ${one}`);
    }
  }
  await store.end();
} finally {
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
say(`${cases} writes with a cut, ${wrongs} wrong`);
write();
process.exitCode = wrongs === 0 ? 0 : 1;
