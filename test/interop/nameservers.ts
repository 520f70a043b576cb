/** BIND, NSD, Knot and PowerDNS as partners of our zones: each on a port of its own, from a temporary directory. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, freePort, output, run } from "../processes.ts";

export interface Key {
  /** Without final dot. */
  readonly name: string;
  readonly algorithm: string;
  /** Base64. */
  readonly secret: string;
}

export interface PartnerZone {
  readonly zone: string;
  readonly key: Key | undefined;
}

export interface Setup {
  readonly directory: string;
  readonly port: number;
  /** Where we answer. */
  readonly ours: number;
  readonly zones: readonly PartnerZone[];
}

/** Writes what a program needs, and says how it is started. */
export type Prepare = (setup: Setup) => Promise<readonly [file: string, ...args: string[]]>;

interface Program {
  /** As the secondary of our zones. */
  readonly secondary: Prepare;
  /** As the primary of zones that take dynamic updates; for those that can. */
  readonly primary?: Prepare;
}

export const keysOf = ({ zones }: Setup) => [...new Set(zones.flatMap(({ key }) => key ?? []))];

export const start = (zone: string) => `$ORIGIN ${zone}.
@ 300 SOA ns.${zone}. host.${zone}. 10 3600 600 86400 300
@ 300 NS ns.${zone}.
ns 300 A 192.0.2.53
`;

export const bindKeys = (setup: Setup) =>
  keysOf(setup)
    .map(({ name, algorithm, secret }) => `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`)
    .join("\n");

export const bindOptions = ({ directory, port }: Setup, rest = "") => `
options {
  directory "${directory}"; pid-file none; session-keyfile none; managed-keys-directory "${directory}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; notify-delay 0; serial-query-rate 1000; ${rest}
};
controls {};
`;

export function runNamed({ directory }: Setup, text: string): readonly [string, ...string[]] {
  const file = join(directory, "named.conf");
  writeFileSync(file, text);
  return ["/usr/sbin/named", "-g", "-c", file];
}

const bind: Program = {
  async secondary(setup) {
    const zones = setup.zones.map(
      ({ zone, key }, i) => `zone "${zone}" { type secondary; file "${i}.db"; notify no;
        primaries { 127.0.0.1 port ${setup.ours}${key ? ` key "${key.name}"` : ""}; }; };`,
    );
    return runNamed(setup, `${bindKeys(setup)}${bindOptions(setup, "allow-transfer { any; };")}${zones.join("\n")}`);
  },
  async primary(setup) {
    setup.zones.forEach(({ zone }, i) => {
      writeFileSync(join(setup.directory, `${i}.db`), start(zone));
    });
    const zones = setup.zones.map(
      (
        { zone, key },
        i,
      ) => `zone "${zone}" { type primary; file "${i}.db"; allow-update { 127.0.0.1; }; notify explicit;
        also-notify { 127.0.0.1 port ${setup.ours}${key ? ` key "${key.name}"` : ""}; };
        allow-transfer { ${key ? `key "${key.name}"` : "any"}; }; };`,
    );
    return runNamed(setup, `${bindKeys(setup)}${bindOptions(setup)}${zones.join("\n")}`);
  },
};

const nsd: Program = {
  async secondary({ directory, port, ours, zones, ...rest }) {
    const keys = keysOf({ directory, port, ours, zones, ...rest }).map(
      ({ name, algorithm, secret }) => `key:\n  name: "${name}"\n  algorithm: ${algorithm}\n  secret: "${secret}"\n`,
    );
    const file = join(directory, "nsd.conf");
    const server = `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  chroot: ""
  database: ""
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  xfrdfile: "${directory}/xfrd.state"
  xfrdir: "${directory}"
  zonelistfile: "${directory}/zone.list"
  xfrd-reload-timeout: 0
remote-control:
  control-enable: no
`;
    const blocks = zones.map(({ zone, key }, i) => {
      const by = key?.name ?? "NOKEY";
      return `zone:\n  name: "${zone}"\n  zonefile: "${i}.db"\n  allow-notify: 127.0.0.1 ${by}\n  request-xfr: 127.0.0.1@${ours} ${by}\n  provide-xfr: 127.0.0.1 NOKEY\n`;
    });
    writeFileSync(file, `${server}${keys.join("")}${blocks.join("")}`);
    return ["/usr/sbin/nsd", "-d", "-c", file];
  },
};

const knotHead = ({ directory, port, ...rest }: Setup) => `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
database:
  storage: "${directory}/db"
log:
  - target: stderr
    any: warning
${keysOf({ directory, port, ...rest }).length > 0 ? "key:\n" : ""}${keysOf({ directory, port, ...rest })
  .map(({ name, algorithm, secret }) => `  - id: "${name}"\n    algorithm: ${algorithm}\n    secret: "${secret}"\n`)
  .join("")}`;

const knotRemotes = ({ ours, zones }: Setup) =>
  `remote:\n${zones.map(({ key }, i) => `  - id: r${i}\n    address: 127.0.0.1@${ours}\n${key ? `    key: "${key.name}"\n` : ""}`).join("")}`;

const knot: Program = {
  async secondary(setup) {
    const { directory, zones } = setup;
    const acls = zones.map(
      ({ key }, i) =>
        `  - id: n${i}\n    address: 127.0.0.1\n${key ? `    key: "${key.name}"\n` : ""}    action: notify\n`,
    );
    const blocks = zones.map(
      ({ zone }, i) =>
        `  - domain: "${zone}"\n    storage: "${directory}"\n    file: "${i}.db"\n    master: r${i}\n    acl: [n${i}, x]\n`,
    );
    const x = "  - id: x\n    address: 127.0.0.1\n    action: transfer\n";
    const file = join(directory, "knot.conf");
    writeFileSync(file, `${knotHead(setup)}${knotRemotes(setup)}acl:\n${x}${acls.join("")}zone:\n${blocks.join("")}`);
    return ["/usr/sbin/knotd", "-c", file];
  },
  async primary(setup) {
    const { directory, zones } = setup;
    zones.forEach(({ zone }, i) => {
      writeFileSync(join(directory, `${i}.db`), start(zone));
    });
    const acls = zones.map(
      ({ key }, i) =>
        `  - id: x${i}\n    address: 127.0.0.1\n${key ? `    key: "${key.name}"\n` : ""}    action: transfer\n`,
    );
    const blocks = zones.map(
      ({ zone }, i) =>
        `  - domain: "${zone}"\n    storage: "${directory}"\n    file: "${i}.db"\n    notify: r${i}\n    acl: [u, x${i}]\n`,
    );
    const u = "  - id: u\n    address: 127.0.0.1\n    action: update\n";
    const file = join(directory, "knot.conf");
    writeFileSync(file, `${knotHead(setup)}${knotRemotes(setup)}acl:\n${u}${acls.join("")}zone:\n${blocks.join("")}`);
    return ["/usr/sbin/knotd", "-c", file];
  },
};

const powerdns: Program = {
  async secondary(setup) {
    const { directory, port, ours, zones } = setup;
    const settings = [
      ...["launch=gsqlite3", `gsqlite3-database=${directory}/pdns.sqlite`, "secondary=yes", "slave=yes"],
      ...[`local-address=127.0.0.1`, `local-port=${port}`, `socket-dir=${directory}`, "guardian=no", "daemon=no"],
      ...["allow-axfr-ips=127.0.0.0/8", "zone-cache-refresh-interval=0", "cache-ttl=0", "query-cache-ttl=0"],
      ...["negquery-cache-ttl=0", "xfr-cycle-interval=1", "consistent-backends=no", "allow-unsigned-notify=yes"],
    ];
    writeFileSync(join(directory, "pdns.conf"), `${settings.join("\n")}\n`);
    const schema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
    await output("/usr/bin/python3", [
      "-c",
      `import sqlite3; sqlite3.connect("${directory}/pdns.sqlite").executescript(open("${schema}").read())`,
    ]);
    const util = (...words: string[]) => output("pdnsutil", [`--config-dir=${directory}`, ...words]);
    for (const { name, algorithm, secret } of keysOf(setup)) await util("import-tsig-key", name, algorithm, secret);
    for (const { zone, key } of zones) {
      await util("create-slave-zone", zone, `127.0.0.1:${ours}`);
      if (key) await util("activate-tsig-key", zone, key.name, "slave");
    }
    return ["/usr/sbin/pdns_server", `--config-dir=${directory}`];
  },
};

export const programs = { bind, nsd, knot, powerdns } as const;
export type ProgramName = keyof typeof programs;

export interface Partner extends AsyncDisposable {
  readonly port: number;
}

interface Wanted {
  readonly ours: number;
  readonly zones: readonly PartnerZone[];
  readonly port?: number;
}

/** Starts a program with these zones, and waits until it answers at all. */
export async function startPartner(name: ProgramName, role: "primary" | "secondary", wanted: Wanted): Promise<Partner> {
  const prepare = programs[name][role];
  if (!prepare) throw new Error(`${name} is not started as ${role}`);
  return await startPrepared(prepare, wanted);
}

/** The same with a configuration of its own. */
export async function startPrepared(prepare: Prepare, { ours, zones, port = 0 }: Wanted): Promise<Partner> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-partner-"));
  mkdirSync(join(directory, "db"));
  const setup = { directory, ours, zones, port: port || (await freePort()) };
  const [file, ...args] = await prepare(setup);
  const daemon = new Daemon(file, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await daemon.until(async () =>
      (await dig(setup.port, zones[0]!.zone, "SOA", "+noall", "+comments")).includes("status:"),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: setup.port, [Symbol.asyncDispose]: stop };
}

async function dig(port: number, ...words: readonly string[]): Promise<string> {
  return (await run("dig", ["@127.0.0.1", "-p", `${port}`, "+tries=1", "+time=2", ...words])).out;
}

/** The zone as a transfer holds it: one line a record, in one order; undefined while there is none. */
export async function transferred(port: number, zone: string, key?: Key): Promise<string[] | undefined> {
  const signed = key ? ["-y", `${key.algorithm}:${key.name}:${key.secret}`] : [];
  const text = await dig(port, ...signed, "+noall", "+answer", "+time=10", zone, "AXFR");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith(";"));
  const canonical = lines.map((line) => {
    const [owner = "", ttl, rrClass, type, ...rdata] = line.split(/\s+/);
    return [owner.toLowerCase(), ttl, rrClass, type, ...rdata].join(" ");
  });
  return lines.length < 2 ? undefined : [...new Set(canonical)].sort();
}

export const serialAt = async (port: number, zone: string): Promise<number | undefined> => {
  const serial = (await dig(port, "+short", zone, "SOA")).split(" ")[2];
  return serial === undefined ? undefined : Number(serial);
};
