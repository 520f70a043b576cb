/** Open connections with outstanding queries: what an answer costs our server and NSD, and the rate relative to UDP. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../test/machine/processes.ts";
import { certificateIn } from "../peers/certificate.ts";
import { nsd, tlsPort } from "../peers/nsd.ts";
import type { Scale } from "./bench.ts";
import { costRows, peersOf } from "./compare.ts";
import { inTurns } from "./contender.ts";
import { startEdge } from "./edge.ts";
import { type Load, questionsIn } from "./load.ts";
import { startPeers } from "./peer.ts";
import { atMostPeers, type Row } from "./rows.ts";
import { host, hostsZone, imageOf, writeZone } from "./zone.ts";

const connections = 8;
const outstanding = 16;
const rounds = 3;

export async function streams(mode: "tcp" | "dot", factor: number, scale: Scale): Promise<Row[]> {
  const hosts = scale(100_000, 1000);
  const zone = hostsZone(hosts);
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  try {
    const drawn = Array.from({ length: hosts }, (_, i) => `${host((i * 7919) % hosts)} A`);
    const questions = questionsIn(join(directory, "questions"), drawn);
    const secure = await freePort();
    const { certificate, key } = certificateIn(directory);
    const flags = ["--dot", `127.0.0.1:${secure}`, "--tls-cert", certificate, "--tls-key", key];
    await using ours = await startEdge(imageOf([zone]), `${host(0)} A`, { flags });
    await using others = await startPeers([nsd], writeZone(directory, zone));
    const load: Load = { questions, seconds: scale(5), clients: connections, outstanding: connections * outstanding };
    const plain = [ours, ...others.running];
    const streamed = mode === "tcp" ? plain : [{ ...ours, port: secure }, ...others.running.map(secured)];
    const costs = await inTurns(streamed, scale(rounds), () => ({ ...load, mode }));
    const overUdp = await inTurns([ours], scale(rounds), () => load);
    const [cost, ...parts] = costRows(
      mode,
      `${connections} connections, ${outstanding} outstanding`,
      costs,
      others.missing,
    );
    const rate = costs.get("Fairlead")!.perSecond;
    return [
      { ...cost!, ...atMostPeers(cost!.ours!, cost!.peers, ["NSD"], factor) },
      ...parts.map(({ met: _, ...row }) => ({ ...row, target: "" })),
      {
        name: mode,
        measure: "queries a second, and by those over UDP",
        unit: `/s (${(rate / overUdp.get("Fairlead")!.perSecond).toFixed(2)} x)`,
        ours: rate,
        peers: peersOf(costs, others.missing, ({ perSecond }) => perSecond),
        target: "",
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const secured = <T extends { readonly port: number }>(contender: T): T => ({
  ...contender,
  port: tlsPort(contender.port),
});
