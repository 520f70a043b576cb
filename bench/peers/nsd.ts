/** NSD, with one server process or several, cookies, and no rate limits. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Peer } from "../kit/peer.ts";
import { certificateIn } from "./certificate.ts";

const nsdOf = (processes: number): Pick<Peer, "name" | "program" | "package" | "configure"> => ({
  name: "NSD",
  program: "nsd",
  package: "nsd",
  configure(home, port, { directory, zones }) {
    const path = join(home, "nsd.conf");
    const { certificate, key } = certificateIn(home);
    const files = ["pidfile", "xfrdfile", "zonelistfile"].map((name) => `${name}: "${join(home, name)}"`);
    const server = [
      `ip-address: 127.0.0.1@${port}`,
      `ip-address: 127.0.0.1@${tlsPort(port)}`,
      `tls-port: ${tlsPort(port)}`,
      `tls-service-key: "${key}"`,
      `tls-service-pem: "${certificate}"`,
      `server-count: ${processes}`,
      `reuseport: ${processes > 1 ? "yes" : "no"}`,
      "tcp-count: 100",
      "tcp-query-count: 0",
      "answer-cookie: yes",
      "minimal-responses: yes",
      "rrl-ratelimit: 0",
      "rrl-whitelist-ratelimit: 0",
      'username: ""',
      'chroot: ""',
      'database: ""',
      `zonesdir: "${directory}"`,
      ...files,
    ];
    const text = zones.map(({ apex, file }) => `zone:\n  name: "${apex}"\n  zonefile: "${file}"\n`);
    const head = `server:\n  ${server.join("\n  ")}\nremote-control:\n  control-enable: no\n`;
    writeFileSync(path, head);
    for (let from = 0; from < text.length; from += 100_000) {
      writeFileSync(path, text.slice(from, from + 100_000).join(""), { flag: "a" });
    }
    return ["/usr/sbin/nsd", "-d", "-c", path];
  },
});

export const nsd: Peer = nsdOf(1);
/** NSD with so many processes, on all cores. */
export const nsdWith = (processes: number): Peer => ({ ...nsdOf(processes), isFree: true });

/** The port for DNS over TLS of the server whose port for UDP and TCP is `port`. */
export const tlsPort = (port: number) => port + 2000;
