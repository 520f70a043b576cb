/** Knot DNS, with one UDP worker. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../kit/peer.ts";

/** Knot on an address, where it reads the queries of a card through AF_XDP, if one is named. */
export const knotAt = (address: string, card?: string): Peer => ({
  name: card === undefined ? "Knot" : "Knot by XDP",
  program: "knotd",
  package: "knot",
  configure(home, port, { directory, zones }) {
    const path = join(home, "knot.conf");
    const head = `server:
  listen: ${address}@${port}
  rundir: ${home}
  udp-workers: 1
  tcp-workers: 1
  background-workers: 1
${card === undefined ? "" : `xdp:\n  listen: ${card}@${port}\n`}database:
  storage: ${home}/database
template:
  - id: default
    storage: ${directory}
    zonefile-sync: -1
    zonefile-load: whole
    journal-content: none
    semantic-checks: off
    global-module: mod-cookies
zone:
`;
    writeFileSync(path, head);
    const text = zones.map(({ apex, file }) => `  - domain: ${apex}\n    file: ${file}\n`);
    for (let from = 0; from < text.length; from += 100_000) {
      writeFileSync(path, text.slice(from, from + 100_000).join(""), { flag: "a" });
    }
    return ["/usr/sbin/knotd", "-c", path];
  },
});

export const knot = knotAt("127.0.0.1");
