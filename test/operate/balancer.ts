/** HAProxy in front of controls, as docs/examples/standby has it, and in front of edges over TCP. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Daemon, freePort } from "../machine/processes.ts";
import { example } from "./cluster.ts";

export interface Balanced {
  /** The ports of the controls' APIs. */
  readonly controls: readonly number[];
  /** The ports of the edges for DNS and for the operator. */
  readonly edges: readonly { readonly dns: number; readonly readiness: number }[];
}

export class Balancer {
  readonly api: number;
  readonly dns: number;
  readonly #daemon: Daemon;

  private constructor(api: number, dns: number, daemon: Daemon) {
    this.api = api;
    this.dns = dns;
    this.#daemon = daemon;
  }

  static async start(directory: string, balanced: Balanced): Promise<Balancer> {
    const [api, dns] = [await freePort(), await freePort()];
    const file = join(directory, "haproxy.cfg");
    writeFileSync(file, configuration(api, dns, balanced));
    const daemon = new Daemon("/usr/sbin/haproxy", ["-db", "-f", file]);
    const answers = () =>
      fetch(`http://127.0.0.1:${api}`).then(
        () => true,
        () => false,
      );
    await daemon.until(answers);
    return new Balancer(api, dns, daemon);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon.end();
  }
}

/** The sections of the example without its store, with the servers of the test in place of its own. */
function configuration(api: number, dns: number, { controls, edges }: Balanced): string {
  const sections = readFileSync(example("haproxy.cfg"), "utf8").split(/^(?=# .*\n|\w)/m);
  const kept = sections.filter((section) => /^(global|defaults|listen api)/.test(section)).join("");
  const own = kept
    .replace(/bind .*/, `bind 127.0.0.1:${api}`)
    .replace(
      /( *server control\d .*\n)+/,
      controls.map((port, n) => `  server control${n} 127.0.0.1:${port} check\n`).join(""),
    )
    .replace(
      /( *server reason\d .*\n)+/,
      controls.map((port, n) => `  server reason${n} 127.0.0.1:${port} backup\n`).join(""),
    );
  if (/192\.0\.2\./.test(own)) throw new Error(`an address of the example is left:\n${own}`);
  const lines = [
    ...["listen dns", "  mode tcp", `  bind 127.0.0.1:${dns}`, "  timeout client 30s", "  timeout server 30s"],
    ...["  option redispatch 1", "  option httpchk GET /readyz", "  default-server inter 500ms fall 1 rise 1"],
    ...edges.map((edge, n) => `  server edge${n} 127.0.0.1:${edge.dns} check port ${edge.readiness}`),
  ];
  return `${own}\n${lines.join("\n")}\n`;
}
