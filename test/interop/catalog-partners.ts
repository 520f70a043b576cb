/** BIND, Knot and PowerDNS as consumers of our catalog; BIND and Knot as producers of a catalog that we consume. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, output, run } from "../machine/processes.ts";
import type { Key } from "./partners/program.ts";

interface Setup {
  readonly directory: string;
  readonly port: number;
  /** Our port. */
  readonly ourPort: number;
  readonly catalog: string;
  readonly key: Key;
}

type Command = readonly [file: string, ...args: string[]];

/** Writes the files of a program, and returns its command. */
type Follower = (setup: Setup) => Promise<Command>;

const bindHead = (directory: string, port: number, { name, algorithm, secret }: Key, rest = "") => `
key "${name}" { algorithm ${algorithm}; secret "${secret}"; };
options {
  directory "${directory}"; pid-file none; session-keyfile none; managed-keys-directory "${directory}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify-delay 0; serial-query-rate 1000; ${rest}
};
controls {};
`;

async function bind({ directory, port, ourPort, catalog, key }: Setup): Promise<Command> {
  const primaries = `{ 127.0.0.1 port ${ourPort} key "${key.name}"; }`;
  const follows = `zone "${catalog}" default-primaries ${primaries} min-update-interval 1;`;
  const options = `allow-transfer { any; }; notify no; allow-new-zones yes; catalog-zones { ${follows} };`;
  const zone = `zone "${catalog}" { type secondary; file "catalog.db"; primaries ${primaries}; };`;
  const file = join(directory, "named.conf");
  writeFileSync(file, `${bindHead(directory, port, key, options)}${zone}\n`);
  return ["/usr/sbin/named", "-g", "-c", file];
}

const knotHead = (directory: string, port: number, ourPort: number, { name, algorithm, secret }: Key) => `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
database:
  storage: "${directory}/db"
log:
  - target: stderr
    any: warning
key:
  - id: "${name}"
    algorithm: ${algorithm}
    secret: "${secret}"
remote:
  - id: ours
    address: 127.0.0.1@${ourPort}
    key: "${name}"
`;

async function knot({ directory, port, ourPort, catalog, key }: Setup): Promise<Command> {
  const file = join(directory, "knot.conf");
  const common = `    storage: "${directory}"\n    master: ours\n    acl: [ours, all]\n`;
  writeFileSync(
    file,
    `${knotHead(directory, port, ourPort, key)}acl:
  - id: ours
    address: 127.0.0.1
    key: "${key.name}"
    action: notify
  - id: all
    address: 127.0.0.1
    action: transfer
template:
  - id: member
${common}zone:
  - domain: "${catalog}"
${common}    catalog-role: interpret
    catalog-template: member
`,
  );
  return ["/usr/sbin/knotd", "-c", file];
}

async function powerdns({ directory, port, ourPort, catalog, key }: Setup): Promise<Command> {
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
  await util("create-secondary-zone", catalog, `127.0.0.1:${ourPort}`);
  await util("set-kind", catalog, "consumer");
  await util("activate-tsig-key", catalog, key.name, "secondary");
  return ["/usr/sbin/pdns_server", `--config-dir=${directory}`];
}

const followers = { bind, knot, powerdns } as const satisfies Record<string, Follower>;

export interface PartnerProcess extends AsyncDisposable {
  readonly daemon: Daemon;
  readonly directory: string;
}

export const startFollower = (name: keyof typeof followers, setup: Omit<Setup, "directory">): Promise<PartnerProcess> =>
  start(name, (directory) => followers[name]({ ...setup, directory }));

export interface Producer extends PartnerProcess {
  /** Makes the catalog list these zones, which must be zones of the producer. */
  list(zones: readonly string[]): Promise<void>;
}

const beginning = (zone: string, rest = "") => `$ORIGIN ${zone}.
@ 300 SOA ns.${zone}. host.${zone}. 10 3600 600 86400 300
@ 300 NS ns.${zone}.
ns 300 A 192.0.2.53
${rest}`;

/** BIND's catalog is an ordinary zone, which is written with dynamic updates. */
export async function startBindProducer(setup: Omit<Setup, "directory">, zones: readonly string[]): Promise<Producer> {
  const { port, ourPort, catalog, key } = setup;
  const process = await start("bind", async (directory) => {
    const blocks = [catalog, ...zones].map((zone, i) => {
      writeFileSync(join(directory, `${i}.db`), beginning(zone, i === 0 ? 'version 0 TXT "2"\n' : ""));
      return `zone "${zone}" { type primary; file "${i}.db"; allow-update { 127.0.0.1; }; notify explicit;
        also-notify { 127.0.0.1 port ${ourPort} key "${key.name}"; }; allow-transfer { key "${key.name}"; }; };`;
    });
    const file = join(directory, "named.conf");
    writeFileSync(file, `${bindHead(directory, port, key)}${blocks.join("\n")}`);
    return ["/usr/sbin/named", "-g", "-c", file];
  });
  let listed: readonly string[] = [];
  const list = async (wanted: readonly string[]) => {
    const at = (zone: string) => `${zone.replaceAll(".", "-")}.zones.${catalog}`;
    const lines = [
      ...listed.filter((zone) => !wanted.includes(zone)).map((zone) => `update delete ${at(zone)} PTR`),
      ...wanted.filter((zone) => !listed.includes(zone)).map((zone) => `update add ${at(zone)} 0 PTR ${zone}.`),
    ];
    const file = join(process.directory, "update");
    writeFileSync(file, `${[`server 127.0.0.1 ${port}`, `zone ${catalog}`, ...lines, "send"].join("\n")}\n`);
    await process.daemon.until(async () => (await run("nsupdate", [file])).code === 0);
    listed = wanted;
  };
  return { ...process, list };
}

/** Knot makes the catalog from its configuration. */
export async function startKnotProducer(setup: Omit<Setup, "directory">, zones: readonly string[]): Promise<Producer> {
  const { port, ourPort, catalog, key } = setup;
  const file = (directory: string) => join(directory, "knot.conf");
  const configure = (directory: string, listed: readonly string[]) => {
    const common = `    storage: "${directory}"\n    notify: ours\n    acl: ours\n`;
    // an existing zone is not read again: it exists as long as it is listed
    const blocks = listed.map(
      (zone) => `  - domain: "${zone}"
    file: "${zones.indexOf(zone)}.db"
${common}    catalog-role: member
    catalog-zone: "${catalog}"
`,
    );
    writeFileSync(
      file(directory),
      `${knotHead(directory, port, ourPort, key)}acl:
  - id: ours
    address: 127.0.0.1
    key: "${key.name}"
    action: transfer
zone:
  - domain: "${catalog}"
    catalog-role: generate
${common}${blocks.join("")}`,
    );
  };
  const process = await start("knot", async (directory) => {
    zones.forEach((zone, i) => {
      writeFileSync(join(directory, `${i}.db`), beginning(zone));
    });
    configure(directory, []);
    return ["/usr/sbin/knotd", "-c", file(directory)];
  });
  const list = async (wanted: readonly string[]) => {
    configure(process.directory, wanted);
    // a signal before Knot listens would end it
    const words = ["@127.0.0.1", "-p", `${port}`, "+tries=1", "+time=1", catalog, "SOA"];
    await process.daemon.until(async () => (await run("dig", words)).out.includes("status:"));
    process.daemon.child.kill("SIGHUP");
  };
  return { ...process, list };
}

async function start(name: string, prepare: (directory: string) => Promise<Command>): Promise<PartnerProcess> {
  const directory = mkdtempSync(join(tmpdir(), `fairlead-${name}-`));
  mkdirSync(join(directory, "db"));
  const [file, ...args] = await prepare(directory);
  const daemon = new Daemon(file, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  return { daemon, directory, [Symbol.asyncDispose]: stop };
}
