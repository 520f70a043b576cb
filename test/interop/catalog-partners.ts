/** BIND, Knot and PowerDNS as those who follow our catalog: members are transferred from us, with the catalog's key. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, output } from "../processes.ts";
import type { Key } from "./partners/program.ts";

interface Setup {
  readonly directory: string;
  readonly port: number;
  /** Where we answer. */
  readonly ours: number;
  readonly catalog: string;
  readonly key: Key;
}

type Command = readonly [file: string, ...args: string[]];

/** Writes what it needs, and says how it is started. */
type Follower = (setup: Setup) => Promise<Command>;

async function bind({ directory, port, ours, catalog, key }: Setup): Promise<Command> {
  const primaries = `{ 127.0.0.1 port ${ours} key "${key.name}"; }`;
  const file = join(directory, "named.conf");
  writeFileSync(
    file,
    `key "${key.name}" { algorithm ${key.algorithm}; secret "${key.secret}"; };
options {
  directory "${directory}"; pid-file none; session-keyfile none; managed-keys-directory "${directory}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; }; allow-transfer { any; };
  recursion no; dnssec-validation no; notify no; serial-query-rate 1000; allow-new-zones yes;
  catalog-zones { zone "${catalog}" default-primaries ${primaries} min-update-interval 1; };
};
controls {};
zone "${catalog}" { type secondary; file "catalog.db"; primaries ${primaries}; };
`,
  );
  return ["/usr/sbin/named", "-g", "-c", file];
}

async function knot({ directory, port, ours, catalog, key }: Setup): Promise<Command> {
  const file = join(directory, "knot.conf");
  writeFileSync(
    file,
    `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
database:
  storage: "${directory}/db"
log:
  - target: stderr
    any: warning
key:
  - id: "${key.name}"
    algorithm: ${key.algorithm}
    secret: "${key.secret}"
remote:
  - id: ours
    address: 127.0.0.1@${ours}
    key: "${key.name}"
acl:
  - id: ours
    address: 127.0.0.1
    key: "${key.name}"
    action: notify
  - id: all
    address: 127.0.0.1
    action: transfer
template:
  - id: member
    storage: "${directory}"
    master: ours
    acl: [ours, all]
zone:
  - domain: "${catalog}"
    storage: "${directory}"
    master: ours
    acl: [ours, all]
    catalog-role: interpret
    catalog-template: member
`,
  );
  return ["/usr/sbin/knotd", "-c", file];
}

async function powerdns({ directory, port, ours, catalog, key }: Setup): Promise<Command> {
  const settings = [
    ...["launch=gsqlite3", `gsqlite3-database=${directory}/pdns.sqlite`, "secondary=yes", "consistent-backends=no"],
    ...["local-address=127.0.0.1", `local-port=${port}`, `socket-dir=${directory}`, "guardian=no", "daemon=no"],
    ...["allow-axfr-ips=127.0.0.0/8", "zone-cache-refresh-interval=0", "cache-ttl=0", "query-cache-ttl=0"],
    ...["negquery-cache-ttl=0", "xfr-cycle-interval=1"],
  ];
  writeFileSync(join(directory, "pdns.conf"), `${settings.join("\n")}\n`);
  const schema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
  const program = `import sqlite3; sqlite3.connect("${directory}/pdns.sqlite").executescript(open("${schema}").read())`;
  await output("/usr/bin/python3", ["-c", program]);
  const util = (...words: string[]) => output("pdnsutil", [`--config-dir=${directory}`, ...words]);
  await util("import-tsig-key", key.name, key.algorithm, key.secret);
  await util("create-secondary-zone", catalog, `127.0.0.1:${ours}`);
  await util("set-kind", catalog, "consumer");
  await util("activate-tsig-key", catalog, key.name, "secondary");
  return ["/usr/sbin/pdns_server", `--config-dir=${directory}`];
}

export const followers = { bind, knot, powerdns } as const satisfies Record<string, Follower>;

export interface FollowerProcess extends AsyncDisposable {
  readonly daemon: Daemon;
}

export async function startFollower(
  name: keyof typeof followers,
  setup: Omit<Setup, "directory">,
): Promise<FollowerProcess> {
  const directory = mkdtempSync(join(tmpdir(), `fairlead-${name}-`));
  mkdirSync(join(directory, "db"));
  const [file, ...args] = await followers[name]({ ...setup, directory });
  const daemon = new Daemon(file, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  return { daemon, [Symbol.asyncDispose]: stop };
}
