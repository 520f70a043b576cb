/** Checks that endpoints are free, before sockets are opened that could silently share them (SO_REUSEPORT). */
import { createSocket } from "node:dgram";
import { createServer, isIPv6 } from "node:net";
import { printEndpoint } from "../../config/values.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { invalid, type Problem } from "../../lib/problem.ts";

/** Throws a Problem that names the endpoint if it is not free for UDP and TCP. Port 0 is always free. */
async function assertFree(flag: string, endpoint: Endpoint): Promise<void> {
  try {
    await tryUdp(endpoint);
    await tryTcp(endpoint);
  } catch (error) {
    throw refused(flag, endpoint, error);
  }
}

/** The same for TCP alone. */
async function assertTcpFree(flag: string, endpoint: Endpoint): Promise<void> {
  await tryTcp(endpoint).catch((error) => {
    throw refused(flag, endpoint, error);
  });
}

/** Throws a Problem that names the first endpoint for DNS, plain or encrypted, that is not free. */
export async function assertDnsFree({ dns, dot, doh }: DnsEndpoints): Promise<void> {
  for (const endpoint of dns) await assertFree("--dns", endpoint);
  for (const endpoint of dot) await assertTcpFree("--dot", endpoint);
  for (const endpoint of doh) await assertTcpFree("--doh", endpoint);
}

/** The same for the API, and for metrics if they have an endpoint of their own. */
export async function assertHttpFree({ http, metrics }: HttpEndpoints): Promise<void> {
  if (http) await assertTcpFree("--http", http);
  if (metrics) await assertTcpFree("--metrics", metrics);
}

interface DnsEndpoints {
  readonly dns: readonly Endpoint[];
  readonly dot: readonly Endpoint[];
  readonly doh: readonly Endpoint[];
}

interface HttpEndpoints {
  readonly http?: Endpoint;
  readonly metrics: Endpoint | undefined;
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

const tryUdp = ({ address, port }: Endpoint) =>
  new Promise<void>((resolve, reject) => {
    const socket = createSocket(isIPv6(address) ? { type: "udp6", ipv6Only: true } : { type: "udp4" });
    socket.once("error", reject);
    socket.bind({ address, port, exclusive: true }, () => socket.close(() => resolve()));
  });

const tryTcp = ({ address, port }: Endpoint) =>
  new Promise<void>((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ host: address, port, ipv6Only: true, exclusive: true }, () => server.close(() => resolve()));
  });
