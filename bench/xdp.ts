/**
 * Queries through AF_XDP and through sockets, of ours and of Knot: each server has a machine of its own, a namespace with
 * a card, and they are asked in turns. Needs root, and Debian's `ethtool` and `knot`.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { Network } from "../test/machine/network.ts";
import { processesBelow, runTime } from "../test/machine/proc.ts";
import { Daemon, run } from "../test/machine/processes.ts";
import { seededRandom } from "../test/machine/random.ts";
import { bench } from "./kit/bench.ts";
import { threadCard } from "./kit/cards.ts";
import { loadCore, onServerCore, pin, serverCore } from "./kit/cores.ts";
import { edgeCommand, keepImage } from "./kit/edge.ts";
import { temporary } from "./kit/files.ts";
import { ask, type Load, questionsIn } from "./kit/load.ts";
import { median } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { host, hostsZone, imageOf, writeZone } from "./kit/zone.ts";
import { knotAt } from "./peers/knot.ts";

const name = "xdp";
const card = "eth0";
const port = 53;
const addresses = {
  ...{ "ours-sockets": "198.18.0.1", "ours-xdp": "198.18.0.2" },
  ...{ "knot-sockets": "198.18.0.3", "knot-xdp": "198.18.0.4" },
} as const;
type Server = keyof typeof addresses;
const servers = Object.keys(addresses) as Server[];
const client = "client";
const questionCount = 200_000;
/** Seconds for each server: V8 compiles for that long. */
const warmUp = 8;
/** The highest cost by AF_XDP in relation to that by sockets: of the process, and with the thread that receives. */
const most = { process: 0.65, all: 0.8 };

/** Microseconds of CPU time for a query: of the server's process, and with the thread that receives for its card. */
interface Cost {
  readonly process: number;
  readonly all: number;
}

await bench((scale) =>
  temporary(async (directory): Promise<Row[]> => {
    const hosts = scale(100_000, 1000);
    const zone = hostsZone(hosts);
    const random = seededRandom(1);
    const questions = questionsIn(
      join(directory, "questions"),
      Array.from({ length: scale(questionCount, 1000) }, () => `${host(Math.floor(random() * hosts))} A`),
    );
    await using network = await Network.make({ ...addresses, [client]: "198.18.0.9" });
    const receivers = new Map<Server, number>();
    for (const server of servers) {
      receivers.set(server, await threadCard(network, server, card, serverCore));
      await threadCard(network, "switch", server, loadCore);
    }
    await threadCard(network, client, card, loadCore);
    await threadCard(network, "switch", client, loadCore);

    const image = imageOf([zone]);
    const homes = new Map(servers.map((server) => [server, mkdtempSync(join(directory, server))]));
    for (const server of ["ours-sockets", "ours-xdp"] as const) await keepImage(homes.get(server)!, image);
    const files = writeZone(directory, zone);
    const ours = (server: Server, flags: readonly string[]) =>
      edgeCommand(homes.get(server)!, port, ["--workers", "1", "--dns-limit-exempt", "0.0.0.0/0", ...flags], {
        address: addresses[server],
      });
    const knot = (server: Server, withCard?: string) =>
      knotAt(addresses[server], withCard).configure(homes.get(server)!, port, files);
    const commands: Readonly<Record<Server, readonly string[]>> = {
      "ours-sockets": ours("ours-sockets", []),
      "ours-xdp": ours("ours-xdp", ["--xdp", card]),
      "knot-sockets": knot("knot-sockets"),
      "knot-xdp": knot("knot-xdp", card),
    };
    await using daemons = new AsyncDisposableStack();
    const running = new Map<Server, Daemon>();
    for (const server of servers) {
      const [file = "", ...args] = onServerCore([...network.inside(server), ...commands[server]]);
      const daemon = new Daemon(file, args);
      daemons.defer(async () => void (await daemon.end()));
      running.set(server, daemon);
      await daemon.until(() => isAnswered(network, addresses[server]), 120_000);
      await pin([daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)]);
    }

    const load = (server: Server, seconds: number): Load => ({
      ...{ questions, seconds, clients: 8, outstanding: 300 },
      ...{ address: addresses[server], inside: network.inside(client) },
    });
    const costOf = async (server: Server): Promise<Cost> => {
      const pid = running.get(server)!.pid;
      const pids = [pid, ...processesBelow(pid).map((one) => one.pid)];
      const receiver = [receivers.get(server)!];
      const before = { process: runTime(pids), receiver: runTime(receiver) };
      const { completed } = await ask(port, load(server, scale(2)));
      const process = (runTime(pids) - before.process) / 1000 / completed;
      return { process, all: process + (runTime(receiver) - before.receiver) / 1000 / completed };
    };
    for (const server of servers) await ask(port, load(server, scale(warmUp)));
    const rounds: Record<Server, Cost>[] = [];
    for (let round = 0; round < scale(8, 3); round++) {
      const costs: Partial<Record<Server, Cost>> = {};
      for (const server of servers) costs[server] = await costOf(server);
      rounds.push(costs as Record<Server, Cost>);
    }
    return rowsOf(rounds);
  }),
);

function rowsOf(rounds: readonly Record<Server, Cost>[]): Row[] {
  const cost = (part: keyof Cost, what: string): Row => {
    const of = (server: Server) => median(rounds.map((one) => one[server][part]));
    const peers = {
      "by sockets": of("ours-sockets"),
      "Knot by XDP": of("knot-xdp"),
      "Knot by sockets": of("knot-sockets"),
    };
    return {
      name,
      measure: `CPU time of ${what}, by XDP`,
      unit: "us a query",
      ours: of("ours-xdp"),
      peers,
      target: "",
    };
  };
  const ratio = (part: keyof Cost, what: string, to: Server, limit: number): Row => {
    const ours = median(rounds.map((one) => one["ours-xdp"][part] / one[to][part]));
    return { name, measure: what, unit: "x", ours, peers: {}, ...atMost(ours, limit, "x") };
  };
  return [
    cost("process", "the process"),
    cost("all", "the process and the thread that receives"),
    ratio("process", "the process by XDP, to that by sockets, of the median round", "ours-sockets", most.process),
    ratio("all", "likewise with the thread that receives", "ours-sockets", most.all),
    ratio("process", "the process by XDP, to Knot's by XDP", "knot-xdp", 1),
    ratio("all", "likewise with the thread that receives, to Knot's", "knot-xdp", 1),
  ];
}

/** Whether a server answers on the client's machine. */
async function isAnswered(network: Network, address: string): Promise<boolean> {
  const [file = "", ...rest] = network.inside(client);
  const { code, out } = await run(file, [...rest, "dig", `@${address}`, "+short", "+tries=1", "+time=1", host(0), "A"]);
  return code === 0 && /^[\d.]+$/m.test(out) && !out.includes(";;");
}
