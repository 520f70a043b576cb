/** NSD as a peer: serves zone files on its own port from a temporary directory, and ends with the test. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { processesBelow } from "../machine/proc.ts";
import { output, run } from "../machine/processes.ts";
import { answerLines } from "../service/kit.ts";
import { type NameserverHome, startNameserver } from "./nameserver.ts";

export interface ZoneFile {
  /** The apex, absolute. */
  readonly name: string;
  readonly text: string;
}

export interface Nsd extends AsyncDisposable {
  readonly port: number;
  /** The ids of the main process, which loads the zones, and of its servers. */
  pids(): number[];
  /** The answer section for a question such as `www.example.com A`. */
  ask(question: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** Starts NSD and waits until it answers. `wrap` runs it under another program, such as taskset. */
export async function startNsd(zones: readonly ZoneFile[], wrap: readonly string[] = []): Promise<Nsd> {
  const { port, daemon, stop } = await startNameserver({
    prepare(place) {
      const file = join(place.directory, "nsd.conf");
      zones.forEach(({ text }, index) => {
        writeFileSync(join(place.directory, `${index}.zone`), text);
      });
      writeFileSync(file, configuration(place, zones));
      return [...wrap, "/usr/sbin/nsd", "-d", "-c", file];
    },
    isReady: async (port) => (await ask(port, `${zones[0]!.name} SOA`)).length > 0,
    within: 60_000,
  });
  return {
    port,
    pids: () => [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)],
    ask: (question) => ask(port, question),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function ask(port: number, question: string): Promise<string[]> {
  const [name = "", type = ""] = question.split(" ");
  const dig = ["@127.0.0.1", "-p", `${port}`, "+noall", "+answer", "+tries=1", "+time=1", name, type];
  return answerLines((await run("dig", dig)).out);
}

export const nsdVersion = async (): Promise<string> =>
  /NSD version (\S+)/.exec(await output("sh", ["-c", "/usr/sbin/nsd -v 2>&1"]))?.[1] ?? "unknown";

/** The common start of all configurations; `more` are lines of the server's section. */
export const nsdServer = ({ directory, port }: NameserverHome, more: string) => `server:
  ip-address: 127.0.0.1@${port}
  server-count: 1
  username: ""
  chroot: ""
  database: ""
  zonesdir: "${directory}"
  pidfile: "${directory}/nsd.pid"
  xfrdfile: "${directory}/xfrd.state"
  zonelistfile: "${directory}/zone.list"
${more}remote-control:
  control-enable: no
`;

// refuse-any: no, so that its answer to ANY can be compared; rrl off, since the comparison is a flood
const comparable = `  minimal-responses: yes
  refuse-any: no
  round-robin: no
  rrl-ratelimit: 0
  rrl-whitelist-ratelimit: 0
  tcp-count: 20
`;

const configuration = (place: NameserverHome, zones: readonly ZoneFile[]) =>
  nsdServer(place, comparable) +
  zones.map(({ name }, index) => `zone:\n  name: "${name}"\n  zonefile: "${index}.zone"\n`).join("");
