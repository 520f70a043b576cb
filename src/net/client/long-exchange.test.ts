/** Transfers over TLS from the client's side: servers with and without valid authentication. */
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer as createPlain, type Server, type Socket } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import type { ServerAuthentication } from "../tls/client.ts";
import { makeSelfSigned } from "../tls/self-signed.ts";
import { exchangeLong, type LongExchange } from "./long-exchange.ts";

const cleanups: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const day = 86_400_000;
const name = "ns.example.test";
const make = (from: number, to: number, named = name) =>
  makeSelfSigned({ names: [named], from: new Date(Date.now() + from * day), to: new Date(Date.now() + to * day) });
const good = make(-1, 1);
const pinOf = (cert: string) => {
  const key = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return createHash("sha256").update(key).digest("base64");
};

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  cleanups.push(() => server.close());
  await once(server, "listening");
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/** Echoes every message. */
const echo = (socket: Socket) => void socket.on("error", () => {}).pipe(socket);
const tlsServer = (options: TlsOptions) => listening(createServer({ ALPNProtocols: ["dot"], ...options }, echo));

const query = new Uint8Array(20).fill(7);
const limits = { message: 2000, total: 5000, signal: new AbortController().signal };
const firstOf = async (server: LongExchange, octets: Uint8Array) => {
  for await (const message of exchangeLong(server, octets)) return message;
  return undefined;
};
const ask = (port: number, tls: ServerAuthentication) => firstOf({ address: "127.0.0.1", port, tls, ...limits }, query);
const strict = { name, ca: good.cert, pins: [] };
const opportunistic = { pins: [] };

describe("an answer comes from a server", () => {
  test.each<[string, ServerAuthentication]>([
    ["with a certificate for the name, from a trusted authority", strict],
    ["with a pinned key", { pins: [pinOf(make(-1, 1).cert), pinOf(good.cert)] }],
    ["with both", { ...strict, pins: [pinOf(good.cert)] }],
    ["that need not be authenticated", opportunistic],
  ])("%s", async (_, tls) => {
    expect(await ask(await tlsServer(good), tls)).toEqual(query);
  });

  test("with an expired certificate, if only its key is checked", async () => {
    const old = make(-2, -1);
    expect(await ask(await tlsServer(old), { pins: [pinOf(old.cert)] })).toEqual(query);
  });
});

describe("a server is refused, with this reason, because it", () => {
  const [old, early, other] = [make(-2, -1), make(1, 2), make(-1, 1, "other.example.test")];
  test.each<[string, TlsOptions, ServerAuthentication]>([
    ["has a certificate that has expired", old, { ...strict, ca: old.cert }],
    ["has a certificate that is not valid yet", early, { ...strict, ca: early.cert }],
    ["has a certificate for DNS:other.example.test, not for ns.example.test", other, { ...strict, ca: other.cert }],
    ["has a certificate that is not from a trusted authority", good, { name, pins: [] }],
    ["has a certificate that is not from a trusted authority", other, strict],
    [
      `has a certificate with the key ${pinOf(good.cert)}, which is not one of the pins`,
      good,
      { ...strict, pins: [pinOf(other.cert)] },
    ],
    ["does not speak TLS 1.3", { ...good, maxVersion: "TLSv1.2" }, opportunistic],
    ["does not agree on DNS over TLS", { ...good, ALPNProtocols: [] }, opportunistic],
    ["does not agree on DNS over TLS", { ...good, ALPNProtocols: ["h2"] }, opportunistic],
    ["requires a client certificate", { ...good, requestCert: true, rejectUnauthorized: true }, opportunistic],
  ])("%s", async (reason, server, tls) => {
    await expect(ask(await tlsServer(server), tls)).rejects.toThrow(reason);
  });

  test("sends an incomplete message, and then nothing, or closes", async () => {
    const half = (end: boolean) => (socket: Socket) => {
      socket.on("error", () => {}).write(Buffer.of(0, 40, 1));
      cleanups.push(() => socket.destroy());
      if (end) socket.end();
    };
    const serve = (end: boolean) => listening(createServer({ ALPNProtocols: ["dot"], ...good }, half(end)));
    const short = { address: "127.0.0.1", tls: opportunistic, ...limits, message: 200 };
    await expect(firstOf({ ...short, port: await serve(false) }, query)).rejects.toThrow("in time");
    await expect(firstOf({ ...short, message: 2000, port: await serve(true) }, query)).rejects.toThrow(
      "closed the connection",
    );
  });

  test("does not speak TLS, is silent, or closes", async () => {
    const answers = await listening(createPlain((socket) => void socket.on("error", () => {}).write("\0\u0005hello")));
    await expect(ask(answers, opportunistic)).rejects.toThrow("does not speak TLS on this port");
    const silent = await listening(createPlain((socket) => void cleanups.push(() => socket.destroy())));
    const short = { address: "127.0.0.1", port: silent, tls: opportunistic, ...limits, message: 100 };
    await expect(firstOf(short, query)).rejects.toThrow("did not answer in time");
    const ends = await listening(createPlain((socket) => void socket.destroy()));
    await expect(ask(ends, opportunistic)).rejects.toThrow(/disconnected|ECONNRESET/);
  });
});
