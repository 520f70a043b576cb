/** A store behind PgBouncer, which gives each session a connection of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startPooler } from "../operate/pooler.ts";
import { StoreServer } from "../operate/server.ts";
import { service } from "../service/kit.ts";

test("the service runs on a store behind a pooler of sessions", async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-pooled-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = await StoreServer.make(directory);
  onTestFinished(() => store.kill());
  const { port, end } = await startPooler(store.port, directory, "session");
  onTestFinished(end);

  await using running = await service({
    flags: ["--database-url", `postgresql://fairlead@127.0.0.1:${port}/fairlead`],
  });
  await running.zone("pooled.example");
  await running.put("pooled.example", "www.pooled.example A", ["192.0.2.1"]);
  await expect.poll(() => running.ask("www.pooled.example A")).toEqual(["www.pooled.example. 3600 IN A 192.0.2.1"]);
  const shown = await store.sql("select count(*) > 5 from pg_stat_activity where application_name like 'fairlead%'");
  expect(shown).toBe("t");
});
