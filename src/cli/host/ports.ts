/** Checks that endpoints are free, before sockets are opened that could silently share them (SO_REUSEPORT). */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIPv6 } from "node:net";
import type { Config } from "../../config/config.ts";
import { printEndpoint } from "../../config/values.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { invalid, type Problem } from "../../lib/problem.ts";

/** Throws a Problem that names the first endpoint for DNS, plain or encrypted, that is not free. Port 0 is always free. */
export async function assertDnsFree({ dns, dot, doh }: Pick<Config, "dns" | "dot" | "doh">): Promise<void> {
  for (const endpoint of dns) await assertFree("--dns", endpoint, tryUdp, tryTcp);
  for (const endpoint of dot) await assertFree("--dot", endpoint, tryTcp);
  for (const endpoint of doh) await assertFree("--doh", endpoint, tryTcp);
}

/** Throws likewise for the endpoint of the API, and for that of metrics if they have one of their own. */
export async function assertHttpFree({ http, metrics }: Partial<Pick<Config, "http" | "metrics">>): Promise<void> {
  if (http) await assertFree("--http", http, tryTcp);
  if (metrics) await assertFree("--metrics", metrics, tryTcp);
}

async function assertFree(flag: string, endpoint: Endpoint, ...tries: (typeof tryTcp)[]): Promise<void> {
  try {
    for (const open of tries) await open(endpoint);
  } catch (error) {
    throw refused(flag, endpoint, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use",
  EACCES: "cannot be opened: permission denied",
  EADDRNOTAVAIL: "is not an address of this machine",
};

/** A Problem that names the flag, its endpoint, and the reason why the endpoint could not be opened. */
export function refused(flag: string, endpoint: Endpoint, error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  return invalid(`${flag}: ${printEndpoint(endpoint)} ${reasons[code] ?? `cannot be used (${code})`}`, { key: flag });
}

async function tryUdp({ address, port }: Endpoint): Promise<void> {
  const socket = createSocket(isIPv6(address) ? { type: "udp6", ipv6Only: true } : { type: "udp4" });
  await once(socket.bind({ address, port, exclusive: true }), "listening");
  await once(socket.close(), "close");
}

async function tryTcp({ address, port }: Endpoint): Promise<void> {
  const server = createServer().listen({ host: address, port, ipv6Only: true, exclusive: true });
  await once(server, "listening");
  await once(server.close(), "close");
}
