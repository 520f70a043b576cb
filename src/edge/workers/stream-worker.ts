/** Thread entry: answers queries over TCP, TLS and HTTPS, on every address of the edge. */
import { parentPort, workerData } from "node:worker_threads";
import type { SocketSource } from "../../net/socket/sockets.ts";
import { type StreamTransport, TcpServer } from "../../net/tcp.ts";
import { type CertificateFiles, followCertificate } from "../../net/tls/certificate.ts";
import type { SessionData, WorkerReport } from "./messages.ts";
import { Session } from "./session.ts";
import { retireWithin, stopping } from "./stopping.ts";

export interface StreamWorkerData extends SessionData {
  readonly sockets: readonly { readonly transport: StreamTransport; readonly socket: SocketSource }[];
  /** When left out, TLS connections are closed. */
  readonly certificate: CertificateFiles | undefined;
  /** Addresses and prefixes whose connections begin with a PROXY header. */
  readonly proxies: readonly string[];
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** Maximum milliseconds to send pending answers when the worker is stopped. */
const closeWithin = 500;

const { sockets, certificate, proxies, stop, ...data }: StreamWorkerData = workerData;
const report = (message: WorkerReport) => parentPort?.postMessage(message);
const service = new Session(data, "tcp", report);
service.listen();
const tcp = new TcpServer({ service, counts: data.counts, proxies });
const followed =
  certificate &&
  followCertificate(certificate, {
    onChange: (read) => {
      tcp.useCertificate(read);
      report({ kind: "certificate" });
    },
    onRefused: (reason) => report({ kind: "certificate", reason }),
  });
for (const { transport, socket } of sockets) report({ kind: "listening", port: await tcp.listen(socket, transport) });
await Atomics.waitAsync(stop, 0, 0).value;
if (Atomics.load(stop, 0) === stopping.retiring) {
  service.retire();
  const stopped = Atomics.waitAsync(stop, 0, stopping.retiring);
  await Promise.race([tcp.drain(retireWithin), stopped.value]);
}
await followed?.close();
await tcp.close(closeWithin);
