/** A CONNECT proxy that redirects clients with a fixed host name to a service on this machine, with a temporary CA. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { output } from "../machine/processes.ts";

export interface HostProxy extends AsyncDisposable {
  readonly url: string;
  /** File with the certificate that clients have to trust. */
  readonly ca: string;
  /** Method and path of every forwarded request. */
  readonly seen: readonly string[];
}

/** Redirects `https://<host>` to `target`, and refuses every other host. */
export async function startProxy(host: string, target: string): Promise<HostProxy> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-proxy-"));
  const [key, ca] = [join(directory, "key.pem"), join(directory, "ca.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  await output("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", ca, "-days", "2", ...subject]);

  const seen: string[] = [];
  const inner = createTlsServer({ key: readFileSync(key), cert: readFileSync(ca) }, (incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    forward(target, incoming, outgoing);
  });
  const outer = createServer((_, reply) => reply.writeHead(403).end());
  outer.on("connect", (asked, socket) => {
    if (asked.url !== `${host}:443`) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    inner.emit("connection", socket);
  });
  await new Promise<void>((resolve) => outer.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`,
    ca,
    seen,
    async [Symbol.asyncDispose]() {
      rmSync(directory, { recursive: true });
      inner.closeAllConnections();
      outer.closeAllConnections();
      await new Promise((resolve) => outer.close(resolve));
    },
  };
}

function forward(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method = "GET", url = "/", headers } = incoming;
  const onward = request(new URL(url, target), { method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, reply.headers);
    reply.pipe(outgoing);
  });
  onward.on("error", (error) => outgoing.writeHead(502).end(error.message));
  incoming.pipe(onward);
}
