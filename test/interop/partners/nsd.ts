/** NSD as a partner. As a primary, it reads its zone files again, and computes differences from them. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Daemon } from "../../machine/processes.ts";
import { nsdServer } from "../nsd.ts";
import { beginning, type Command, firstSerial, generic, keysOf, type Program, type Setup, soaText } from "./program.ts";
import { serialAt } from "./zone.ts";

/** `server` has more lines for that section of the configuration. */
export function runNsd(setup: Setup, zones: readonly string[], server = ""): Command {
  const { directory } = setup;
  const keys = keysOf(setup).map(
    ({ name, algorithm, secret }) => `key:\n  name: "${name}"\n  algorithm: ${algorithm}\n  secret: "${secret}"\n`,
  );
  const head = nsdServer(setup, `  xfrdir: "${directory}"\n  xfrd-reload-timeout: 0\n${server}`);
  const file = join(directory, "nsd.conf");
  writeFileSync(file, `${head}${keys.join("")}${zones.join("")}`);
  return ["/usr/sbin/nsd", "-d", "-V", "2", "-c", file];
}

/** Milliseconds within which a signal must have an effect. */
const patience = 1000;

/** A zone's file: RDATA by name and type, and the serial. */
class ZoneFile {
  readonly #path: string;
  readonly #zone: string;
  readonly #rrsets = new Map<string, readonly string[]>();
  #serial = firstSerial;
  #isAwaited = false;

  constructor(path: string, zone: string) {
    this.#path = path;
    this.#zone = zone;
    writeFileSync(path, beginning(zone));
  }

  put(place: string, lines: readonly string[]): void {
    this.#rrsets.set(place, lines);
    this.#serial++;
    const soa = `@ 300 SOA ${soaText(this.#zone, this.#serial)}\n`;
    const text = beginning(this.#zone).replace(/^@ .*SOA .*\n/m, soa);
    // NSD may be reading this file because another zone has changed
    writeFileSync(`${this.#path}.new`, `${text}${[...this.#rrsets.values()].flat().join("")}`);
    renameSync(`${this.#path}.new`, this.#path);
  }

  /** Makes NSD read the file. A signal during a reload may have no effect, so it is repeated until NSD has the serial. */
  async read(daemon: Daemon, port: number): Promise<void> {
    daemon.child.kill("SIGHUP");
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    while (!daemon.ended) {
      await delay(patience, undefined, { ref: false });
      if ((await serialAt(port, this.#zone).catch(() => undefined)) === this.#serial) break;
      daemon.child.kill("SIGHUP");
    }
    this.#isAwaited = false;
  }
}

export const nsd: Program = {
  async secondary(setup) {
    const zones = setup.zones.map(({ zone, key }, i) => {
      const by = key?.name ?? "NOKEY";
      return `zone:\n  name: "${zone}"\n  zonefile: "${i}.db"\n  allow-notify: 127.0.0.1 ${by}\n  request-xfr: 127.0.0.1@${setup.ourPort} ${by}\n  provide-xfr: 127.0.0.1 NOKEY\n`;
    });
    return runNsd(setup, zones);
  },
  async primary(setup) {
    const files = new Map<string, ZoneFile>();
    const zones = setup.zones.map(({ zone, key }, i) => {
      files.set(zone, new ZoneFile(join(setup.directory, `${i}.db`), zone));
      const by = key?.name ?? "NOKEY";
      return `zone:\n  name: "${zone}"\n  zonefile: "${i}.db"\n  store-ixfr: yes\n  create-ixfr: yes\n  notify: 127.0.0.1@${setup.ourPort} ${by}\n  provide-xfr: 127.0.0.1 ${by}\n`;
    });
    return {
      command: runNsd(setup, zones),
      async edit({ zone, domain, type, ttl, rdata }, daemon) {
        const lines = rdata.map((data) => `${domain}. ${ttl} TYPE${type.code} ${generic(data)}\n`);
        const file = files.get(zone)!;
        file.put(`${domain} ${type.code}`, lines);
        void file.read(daemon, setup.port);
      },
    };
  },
};
