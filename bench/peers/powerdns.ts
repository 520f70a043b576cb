/** PowerDNS with zone files, default caches, and Lua records. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../kit/peer.ts";

export const powerdns: Peer = {
  name: "PowerDNS",
  program: "pdns_server",
  package: "pdns-server",
  configure(home, port, { directory, zones }) {
    const named = zones.map(({ apex, file }) => `zone "${apex}" { type master; file "${join(directory, file)}"; };`);
    writeFileSync(join(home, "named.conf"), `${named.join("\n")}\n`);
    const settings = [
      "launch=bind",
      `bind-config=${home}/named.conf`,
      "enable-lua-records=yes",
      "edns-subnet-processing=yes",
      `edns-cookie-secret=${"0123456789abcdef".repeat(2)}`,
      "local-address=127.0.0.1",
      `local-port=${port}`,
      `socket-dir=${home}`,
      "receiver-threads=1",
      "distributor-threads=1",
      "daemon=no",
      "guardian=no",
      "loglevel=3",
    ];
    writeFileSync(join(home, "pdns.conf"), `${settings.join("\n")}\n`);
    return ["/usr/sbin/pdns_server", `--config-dir=${home}`];
  },
};
