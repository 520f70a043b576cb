/** Thread entry: answers what comes over TCP, on every address of the edge. */
import { parentPort, workerData } from "node:worker_threads";
import type { SocketSource } from "../net/sockets.ts";
import { TcpServer } from "../net/tcp.ts";
import { Session, type SessionData, type Tells } from "./session.ts";

export interface StreamWorkerData extends SessionData {
  readonly sockets: readonly SocketSource[];
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** For what is being sent when the worker is stopped. */
const closeWithin = 500;

const { sockets, stop, ...data }: StreamWorkerData = workerData;
const tell = (message: Tells) => parentPort?.postMessage(message);
const service = new Session(data, "tcp", tell);
service.listen();
const tcp = new TcpServer({ service, counts: data.counts });
for (const socket of sockets) tell({ kind: "listening", port: await tcp.listen(socket) });
await Atomics.waitAsync(stop, 0, 0).value;
await tcp.close(closeWithin);
