/** One run: starts a service, sends it packets over every transport and bodies over its API, and watches it. */
import { blame } from "./blame.ts";
import { BodySender } from "./bodies.ts";
import { sendDatagrams } from "./datagrams.ts";
import type { LaneOptions } from "./lane.ts";
import { Ledger } from "./ledger.ts";
import type { Transport } from "./oracle.ts";
import { PacketMaker } from "./packets.ts";
import { sendRequests } from "./requests.ts";
import { sendStreams } from "./streams.ts";
import { names, nsid, startTarget, type Target, unlimited } from "./target.ts";
import { type Sample, Watch } from "./watch.ts";

export interface FuzzOptions {
  readonly seed: number;
  readonly packets: number;
  readonly onSample?: (sample: Sample) => void;
  /** Ends the run early. */
  readonly signal?: AbortSignal;
}

export interface Report {
  readonly seed: number;
  readonly ledger: Ledger;
  readonly seconds: number;
  readonly samples: readonly Sample[];
  /** How many plain queries in between were answered. */
  readonly plain: number;
  /** Replies of the API by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Percentages of packets. */
const shares: Readonly<Record<Transport, number>> = { udp: 52, limited: 16, tcp: 16, tls: 9, https: 7 };

export async function fuzz({ seed, packets, onSample = () => {}, signal }: FuzzOptions): Promise<Report> {
  const target = await startTarget();
  const ledger = new Ledger(signal);
  const watch = new Watch(target, ledger, onSample);
  const bodies = new BodySender(seed + 101, target, ledger);
  const began = performance.now();
  try {
    watch.start();
    bodies.start();
    await Promise.all(
      lanes(target, ledger, seed, packets).map((lane) =>
        lane.catch((error) =>
          ledger.find("service", `the service cannot be reached: ${error}\n${target.service.daemon.printed}`),
        ),
      ),
    );
    await bodies.stop();
    await watch.stop();
    await blame(target, ledger);
  } finally {
    const code = await target.service.stop();
    if (code !== 0) ledger.find("service", `ended with ${code}`);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  return { seed, ledger, seconds, samples: watch.samples, plain: watch.plain, statuses: bodies.statuses };
}

type Lane = Omit<LaneOptions, "port"> & { readonly seed: number };

function lanes(target: Target, ledger: Ledger, seed: number, packets: number): Promise<void>[] {
  const { dns, dot, doh } = target.ports;
  let number = 0;
  const many = (transport: Transport, count: number, send: (lane: Lane) => Promise<void>) =>
    Array.from({ length: count }, () => {
      const own = seed * 1000 + 2 * number++;
      const share = Math.ceil((packets * shares[transport]) / 100 / count);
      return send({ ledger, maker: new PacketMaker(own, names), packets: share, nsid: nsid.length, seed: own + 1 });
    });
  let network = 0;
  return [
    ...many("udp", 3, (lane) => sendDatagrams({ ...lane, port: dns, from: unlimited, transport: "udp" })),
    ...many("limited", 2, (lane) =>
      sendDatagrams({ ...lane, port: dns, from: `127.0.${++network}.1`, transport: "limited" }),
    ),
    ...many("tcp", 3, (lane) => sendStreams({ ...lane, port: dns, transport: "tcp" })),
    ...many("tls", 3, (lane) => sendStreams({ ...lane, port: dot, transport: "tls" })),
    ...many("https", 2, (lane) => sendRequests({ ...lane, port: doh })),
  ];
}

/** The report in one line. */
export function print({ seed, ledger, seconds, samples, plain, statuses }: Report): string {
  const { sent, replies, findings, suspects } = ledger;
  const count = Object.values(sent).reduce((sum, packets) => sum + packets, 0);
  const over = Object.entries(sent).map(([transport, packets]) => `${packets} over ${transport}`);
  const bodies = [...statuses.values()].reduce((sum, packets) => sum + packets, 0);
  const [first, last] = [samples[0], samples.at(-1)];
  const memory = `edge ${first?.edge} to ${last?.edge} MB, control ${first?.control} to ${last?.control} MB`;
  const found = findings.length === 0 ? "nothing found" : `${findings.length} FOUND`;
  return (
    `fuzz: seed ${seed}, ${count} packets in ${seconds} s: ${over.join(", ")}, ${bodies} bodies over the API; ` +
    `${replies} replies judged, ${suspects} asked again, ${plain} plain queries answered; ${memory}; ${found}`
  );
}

export const printFindings = ({ ledger }: Report): string =>
  ledger.findings.map(({ where, what, packets }) => `  ${where}: ${what}\n    ${packets.join("\n    ")}\n`).join("");
