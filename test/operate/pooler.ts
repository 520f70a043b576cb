/** PgBouncer in front of a server, as Debian packages it. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine, environment, findRunner } from "../../src/storage/embedded/runner.ts";
import { Daemon, freePort } from "../machine/processes.ts";

const program = "/usr/sbin/pgbouncer";

export interface Pooler {
  readonly port: number;
  end(): Promise<void>;
}

/** `mode`: for how long a client has a connection of its own. */
export async function startPooler(
  storePort: number,
  directory: string,
  mode: "session" | "transaction",
): Promise<Pooler> {
  const port = await freePort();
  const settings = [
    "[databases]",
    `fairlead = host=127.0.0.1 port=${storePort} user=fairlead`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, `unix_socket_dir = ${directory}`],
    ...[`pool_mode = ${mode}`, "default_pool_size = 50", "auth_type = any"],
  ];
  const file = join(mkdtempSync(join(directory, "pooler-")), "pgbouncer.ini");
  writeFileSync(file, `${settings.join("\n")}\n`);
  const runner = await findRunner(program, directory);
  const { file: command, argv, identity } = commandLine(runner, program, [file]);
  const pooler = new Daemon(command, argv, { ...identity, env: environment });
  await pooler.until(() => pooler.printed.includes("process up"));
  return { port, end: async () => void (await pooler.end()) };
}
