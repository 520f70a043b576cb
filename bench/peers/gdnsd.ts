/** gdnsd, with one UDP thread. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../kit/peer.ts";

/** gdnsd with the plugins that its zone needs. */
export const gdnsdWith = (plugins: string): Peer => ({
  name: "gdnsd",
  program: "gdnsd",
  package: "gdnsd",
  configure(home, port, { directory, zones }) {
    mkdirSync(join(home, "zones"));
    for (const { apex, file } of zones) copyFileSync(join(directory, file), join(home, "zones", apex));
    const options = [
      `listen => [ 127.0.0.1:${port} ]`,
      "udp_threads => 1",
      "tcp_threads => 1",
      "zones_strict_data => false",
      `run_dir => "${home}/run"`,
      `state_dir => "${home}/state"`,
    ];
    writeFileSync(join(home, "config"), `options => { ${options.join(", ")} }\n${plugins}\n`);
    return ["/usr/sbin/gdnsd", "-c", home, "start"];
  },
});

export const gdnsd = gdnsdWith("");
