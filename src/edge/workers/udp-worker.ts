/** Thread entry: answers queries to one UDP socket, or from one queue of an interface. */
import { parentPort, workerData } from "node:worker_threads";
import { takeUsualSlices } from "../../lib/system/priority.ts";
import type { SocketSource } from "../../net/socket/sockets.ts";
import { listenBatched } from "../../net/udp/batched.ts";
import { listenPortable } from "../../net/udp/portable.ts";
import type { HeldQueue, XdpQueue } from "../../net/xdp/queue.ts";
import type { SessionData, WorkerReport } from "./messages.ts";
import { Session } from "./session.ts";

/** Where queries come from. */
export type UdpSource =
  | { readonly listener: "batched" | "portable"; readonly socket: SocketSource }
  | { readonly listener: "xdp"; readonly queue: XdpQueue; readonly held: HeldQueue };

export interface UdpWorkerData extends SessionData {
  readonly source: UdpSource;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly waker: number | undefined;
}

const { source, stop, waker, ...data }: UdpWorkerData = workerData;
const report = (message: WorkerReport) => parentPort?.postMessage(message);
takeUsualSlices();
const service = new Session(data, "udp", report);
const onListening = (port: number) => report({ kind: "listening", port });
const common = { service, stop, waker, counts: data.counts };
if (source.listener === "xdp") {
  // not loaded by the others
  const { listenXdp } = await import("../../net/xdp/listener.ts");
  listenXdp({ ...common, queue: source.queue, held: source.held, onListening: () => onListening(0) });
} else if (source.listener === "batched") {
  await listenBatched({ ...common, socket: source.socket, onListening });
} else {
  service.listen();
  await listenPortable({ ...common, socket: source.socket, onListening });
}
