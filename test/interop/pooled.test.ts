/** A store behind PgBouncer, which gives each session a connection of its own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { commandLine, environment, findRunner } from "../../src/storage/embedded/runner.ts";
import { Daemon, freePort } from "../machine/processes.ts";
import { StoreServer } from "../operate/server.ts";
import { service } from "../service/kit.ts";

const program = "/usr/sbin/pgbouncer";

test("the service runs on a store behind a pooler of sessions", { timeout: 120_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-pooled-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = await StoreServer.make(directory);
  onTestFinished(() => store.kill());
  const port = await freePort();
  const settings = [
    "[databases]",
    `fairlead = host=127.0.0.1 port=${store.port} user=fairlead`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, `unix_socket_dir = ${directory}`],
    ...["pool_mode = session", "default_pool_size = 50", "auth_type = any"],
  ];
  const file = join(directory, "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  const runner = await findRunner(program, directory);
  const { file: command, argv, identity } = commandLine(runner, program, [file]);
  const pooler = new Daemon(command, argv, { ...identity, env: environment });
  onTestFinished(async () => void (await pooler.end()));
  await pooler.until(() => pooler.printed.includes("process up"));

  await using running = await service({
    flags: ["--database-url", `postgresql://fairlead@127.0.0.1:${port}/fairlead`],
  });
  await running.zone("pooled.example");
  await running.put("pooled.example", "www.pooled.example A", ["192.0.2.1"]);
  await expect.poll(() => running.ask("www.pooled.example A")).toEqual(["www.pooled.example. 3600 IN A 192.0.2.1"]);
  const shown = await store.sql("select count(*) > 5 from pg_stat_activity where application_name like 'fairlead%'");
  expect(shown).toBe("t");
});
