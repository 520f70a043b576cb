/** BIND's named, with one thread. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../kit/peer.ts";

export const bind: Peer = {
  name: "BIND",
  program: "named",
  package: "bind9",
  configure(home, port, { directory, zones }) {
    const path = join(home, "named.conf");
    const text = zones.map(({ apex, file }) => `zone "${apex}" { type primary; file "${join(directory, file)}"; };`);
    const options = [
      `directory "${home}";`,
      `pid-file "${home}/named.pid";`,
      `session-keyfile "${home}/session.key";`,
      `managed-keys-directory "${home}";`,
      `listen-on port ${port} { 127.0.0.1; };`,
      "listen-on-v6 { none; };",
      "recursion no;",
      "minimal-responses yes;",
      "notify no;",
      "dnssec-validation no;",
    ];
    writeFileSync(path, `options {\n  ${options.join("\n  ")}\n};\ncontrols {};\n${text.join("\n")}\n`);
    return ["/usr/sbin/named", "-f", "-n", "1", "-c", path];
  },
};
