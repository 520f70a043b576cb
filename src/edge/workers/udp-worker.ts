/** Thread entry: answers queries to one UDP socket. */
import { parentPort, workerData } from "node:worker_threads";
import { raiseThread } from "../../lib/priority.ts";
import { takeShortSlices } from "../../net/socket/scheduling.ts";
import type { SocketSource } from "../../net/socket/sockets.ts";
import { listenBatched } from "../../net/udp/batched.ts";
import { listenPortable } from "../../net/udp/portable.ts";
import type { SessionData, WorkerReport } from "./messages.ts";
import { Session } from "./session.ts";

export interface UdpWorkerData extends SessionData {
  readonly listener: "batched" | "portable";
  readonly socket: SocketSource;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly waker: number | undefined;
}

const { listener, socket, stop, waker, ...data }: UdpWorkerData = workerData;
const report = (message: WorkerReport) => parentPort?.postMessage(message);
raiseThread();
takeShortSlices();
const service = new Session(data, "udp", report);
const onListening = (port: number) => report({ kind: "listening", port });
if (listener === "batched") {
  await listenBatched({ socket, service, stop, waker, counts: data.counts, onListening });
} else {
  service.listen();
  await listenPortable({ socket, service, stop, counts: data.counts, onListening });
}
