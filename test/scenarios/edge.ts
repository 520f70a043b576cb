/** A UDP worker that answers on a socket of loopback from zones given as lines, asked in packets. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { LiveTable } from "../../src/answer/live/table.ts";
import { bindSocket, closeSockets } from "../../src/edge/listening.ts";
import { EdgeState } from "../../src/edge/state.ts";
import { Workers } from "../../src/edge/workers.ts";
import { plainReplies } from "../replies.ts";
import { baselineOf, recordState, zoneState } from "../states.ts";
import { silent } from "../store.ts";
import { queryOf, recordsOf } from "./image.ts";

export interface TestEdge {
  /** The reply; undefined when a query that is sent after the packet is answered and the packet is not. */
  send(packet: Uint8Array): Promise<Uint8Array | undefined>;
  /** Milliseconds until a plain query for the zone's SOA is answered. */
  plain(): Promise<number>;
  close(): Promise<void>;
}

const plainId = 77;

export async function startTestEdge(zone: string, lines: readonly string[]): Promise<TestEdge> {
  const sockets = [await bindSocket({ address: "127.0.0.1", port: 0 }, "auto", 1)];
  const workers: Workers = new Workers({
    sockets,
    share: () => state.share()!,
    live: new LiveTable().share(),
    geo: () => undefined,
    replies: () => plainReplies,
    log: silent,
  });
  const state = new EdgeState({
    log: silent,
    onImage: (share) => workers.tell({ kind: "image", share }),
    onGrow: (share) => workers.tell({ kind: "grown", share }),
  });
  const apex = zoneState(zone, { nx_ttl: 60 });
  const records = recordsOf(zone, lines).map(({ domain, type, ttl, answers }) => ({
    ...recordState(apex, domain, type, ...answers.map(({ answer }) => answer.map(fieldOf))),
    ttl,
  }));
  await state.start(baselineOf([apex], records));
  await workers.start();
  const socket = createSocket("udp4");
  socket.connect(sockets[0]!.port, "127.0.0.1");
  await once(socket, "connect");
  const next = async () => {
    const [octets]: Uint8Array[] = await once(socket, "message", { signal: AbortSignal.timeout(5000) });
    return new Uint8Array(octets!);
  };
  const soa = queryOf({ name: `${zone}.`, type: "SOA", id: plainId });
  return {
    async send(packet) {
      const first = next();
      socket.send(packet);
      socket.send(soa);
      const reply = await first;
      if (isPlain(reply)) return undefined;
      if (!isPlain(await next())) throw new Error("two replies to one packet");
      return reply;
    },
    async plain() {
      const began = performance.now();
      const reply = next();
      socket.send(soa);
      const octets = await reply;
      if (!isPlain(octets) || octets[7] !== 1) throw new Error("a plain query is not answered");
      return performance.now() - began;
    },
    async close() {
      socket.close();
      await workers.stop();
      closeSockets(sockets);
    },
  };
}

const fieldOf = (value: unknown) => (typeof value === "number" ? value : String(value));

const isPlain = (octets: Uint8Array) => octets[0] === 0 && octets[1] === plainId;
