/** PowerDNS as a partner, with its zones in SQLite; as a primary it is changed over its API, and knows AXFR only. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { printRdata } from "../../../src/dns/rdata/codec.ts";
import type { RecordType } from "../../../src/dns/rdata/record-type.ts";
import { freePort, output } from "../../machine/processes.ts";
import {
  beginning,
  type Change,
  type Command,
  firstSerial,
  generic,
  keysOf,
  type Program,
  type Setup,
  soaText,
} from "./program.ts";

const schema = "/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
const apiKey = "powerdns";

async function prepare(setup: Setup, settings: readonly string[]): Promise<Command> {
  const { directory, port } = setup;
  const all = [
    ...["launch=gsqlite3", `gsqlite3-database=${directory}/pdns.sqlite`, "gsqlite3-pragma-synchronous=0"],
    "consistent-backends=no",
    ...[`local-address=127.0.0.1`, `local-port=${port}`, `socket-dir=${directory}`, "guardian=no", "daemon=no"],
    ...["zone-cache-refresh-interval=0", "cache-ttl=0", "query-cache-ttl=0", "negquery-cache-ttl=0"],
    ...["xfr-cycle-interval=1", ...settings],
  ];
  writeFileSync(join(directory, "pdns.conf"), `${all.join("\n")}\n`);
  // without the pragma, readers and a writer at the same time would make each other fail
  const script = `"pragma journal_mode = wal;" + open("${schema}").read()`;
  const program = `import sqlite3; sqlite3.connect("${directory}/pdns.sqlite").executescript(${script})`;
  await output("/usr/bin/python3", ["-c", program]);
  for (const { name, algorithm, secret } of keysOf(setup))
    await util(setup, "import-tsig-key", name, algorithm, secret);
  return ["/usr/sbin/pdns_server", `--config-dir=${directory}`];
}

const util = ({ directory }: Setup, ...words: readonly string[]) =>
  output("pdnsutil", [`--config-dir=${directory}`, ...words]);

export const powerdns: Program = {
  async secondary(setup) {
    const settings = ["secondary=yes", "slave=yes", "allow-unsigned-notify=yes", "allow-axfr-ips=127.0.0.0/8"];
    const command = await prepare(setup, settings);
    for (const { zone, key } of setup.zones) {
      await util(setup, "create-slave-zone", zone, `127.0.0.1:${setup.ourPort}`);
      await util(setup, "set-meta", zone, "IXFR", "1");
      if (key) await util(setup, "activate-tsig-key", zone, key.name, "slave");
    }
    return command;
  },
  async primary(setup) {
    const port = await freePort();
    const settings = [
      // the zones' name servers have addresses for documentation, so only we get NOTIFY
      ...["primary=yes", "master=yes", "only-notify=", "allow-axfr-ips="],
      ...["webserver=yes", "webserver-address=127.0.0.1", `webserver-port=${port}`, "webserver-allow-from=127.0.0.1"],
      ...["api=yes", `api-key=${apiKey}`],
    ];
    const command = await prepare(setup, settings);
    for (const [i, { zone, key }] of setup.zones.entries()) {
      const file = join(setup.directory, `${i}.db`);
      writeFileSync(file, beginning(zone));
      await util(setup, "load-zone", zone, file);
      await util(setup, "set-kind", zone, "master");
      await util(setup, "set-meta", zone, "ALSO-NOTIFY", `127.0.0.1:${setup.ourPort}`);
      if (key) await util(setup, "activate-tsig-key", zone, key.name, "master");
      else await util(setup, "set-meta", zone, "ALLOW-AXFR-FROM", "127.0.0.0/8");
    }
    const serials = new Map<string, number>();
    return {
      command,
      async edit(change) {
        const { zone } = change;
        const serial = (serials.get(zone) ?? firstSerial) + 1;
        serials.set(zone, serial);
        const soa = { name: `${zone}.`, type: "SOA", ttl: 300, ...replaced([soaText(zone, serial)]) };
        await call(port, "PATCH", zone, { rrsets: [rrset(change), soa] });
        await call(port, "PUT", `${zone}/notify`);
      },
    };
  },
};

const replaced = (contents: readonly string[]) => ({
  changetype: "REPLACE",
  records: contents.map((content) => ({ content, disabled: false })),
});

const rrset = ({ domain, type, ttl, rdata }: Change) => ({
  name: `${domain}.`,
  type: knows(type) ? type.name : `TYPE${type.code}`,
  ttl,
  ...(rdata.length === 0 ? { changetype: "DELETE" } : replaced(rdata.map((data) => contentOf(type, data)))),
});

/** Types without a name in PowerDNS have the form of RFC 3597. */
const nameless = new Set([
  ...["AMTRELAY", "AVC", "DOA", "DSYNC", "EID", "GPOS", "HIP", "ISDN", "NIMLOC", "NINFO", "NSAP", "NSAP-PTR", "PX"],
  ...["RESINFO", "RT", "TA", "TALINK", "WALLET", "X25"],
]);
const knows = ({ name }: RecordType) => !nameless.has(name);

/** The API of PowerDNS accepts text only in the form in which PowerDNS writes it. */
const spellings: Readonly<Record<string, readonly [RegExp, string][]>> = {
  CERT: [
    [/^PKIX/, "1"],
    [/RSASHA256/, "8"],
  ],
  HTTPS: [[/"/g, ""]],
  LOC: [[/ (\d+)m/g, " $1.00m"]],
  SVCB: [[/"/g, ""]],
};

const contentOf = (type: RecordType, data: Uint8Array) =>
  knows(type)
    ? (spellings[type.name] ?? []).reduce((text, [from, to]) => text.replace(from, to), printRdata(type, data))
    : generic(data);

/** SQLite allows one writer at a time: until that writer is done, the API fails. */
const attempts = 100;

async function call(port: number, method: string, path: string, body?: object, attempt = 1): Promise<void> {
  const reply = await fetch(`http://127.0.0.1:${port}/api/v1/servers/localhost/zones/${path}`, {
    method,
    headers: { "X-API-Key": apiKey },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (reply.status === 500 && attempt < attempts) {
    await delay(20);
    return await call(port, method, path, body, attempt + 1);
  }
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()} ${JSON.stringify(body)}`);
}
