/** The thread of a server of the attacker's own, which stands in for the service in harmless loads. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";
import { certificate } from "../network/streams.ts";

const servers = {
  /** Completes handshakes. */
  tls: () => createTlsServer({ ...certificate, ALPNProtocols: ["dot"] }),
  /** Reads nothing. */
  silent: () => createServer({ pauseOnConnect: true }),
};

export type OwnServer = keyof typeof servers;

const server = servers[workerData as OwnServer]().listen(0, "127.0.0.1");
server.on("tlsClientError", () => {});
await once(server, "listening");
parentPort!.postMessage((server.address() as AddressInfo).port);
