/** Finds the packet that made the service replace workers: sends each unanswered packet alone once more. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { metric } from "../flows/wire/metrics.ts";
import type { Ledger } from "./ledger.ts";
import type { Target } from "./target.ts";

/** Packets to try: more than the workers may have held, few enough not to take minutes. */
const mostAsked = 200;
/** Milliseconds: more than an answer takes, and enough to detect a worker that spins. */
const patience = 1500;

export async function blame({ service, ports }: Target, ledger: Ledger): Promise<void> {
  const restarts = () =>
    metric(`${service.operator}/metrics`, "fairlead_edge_worker_restarts_total").catch(() => Number.NaN);
  if (ledger.unanswered.length === 0 || (await restarts()) === 0) return;
  for (const packet of ledger.unanswered.slice(0, mostAsked)) {
    const before = await restarts();
    if (await isAnswered(ports.dns, packet)) continue;
    await delay(patience);
    if ((await restarts()) === before) continue;
    ledger.find("udp", "a worker is replaced whenever this packet is sent", packet);
    return;
  }
}

async function isAnswered(port: number, packet: Buffer): Promise<boolean> {
  const socket = createSocket("udp4");
  const reply = once(socket, "message", { signal: AbortSignal.timeout(patience) });
  socket.send(packet, port, "127.0.0.1");
  const isReply = await reply.then(
    () => true,
    () => false,
  );
  socket.close();
  return isReply;
}
