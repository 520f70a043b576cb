/** Checks that endpoints are free, before sockets are opened that could silently share them (SO_REUSEPORT). */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, isIPv6 } from "node:net";
import type { Config } from "../../config/config.ts";
import { printEndpoint } from "../../config/values.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { invalid, type Problem } from "../../lib/problem.ts";

/** An endpoint of the configuration, and the ways in which it must be possible to open it. */
export interface Place {
  readonly flag: string;
  readonly endpoint: Endpoint;
  readonly opens: readonly (readonly [transport: "udp" | "tcp", open: (endpoint: Endpoint) => Promise<void>])[];
}

const tcp: Place["opens"][number] = ["tcp", tryTcp];

/** The endpoints for DNS, plain and encrypted. */
export const dnsPlaces = ({ dns, dot, doh }: Pick<Config, "dns" | "dot" | "doh">): Place[] => [
  ...dns.map((endpoint): Place => ({ flag: "--dns", endpoint, opens: [["udp", tryUdp], tcp] })),
  ...dot.map((endpoint) => ({ flag: "--dot", endpoint, opens: [tcp] })),
  ...doh.map((endpoint) => ({ flag: "--doh", endpoint, opens: [tcp] })),
];

/** The endpoint of the API, and that of metrics if they have one of their own. */
export const httpPlaces = ({ http, metrics }: Partial<Pick<Config, "http" | "metrics">>): Place[] => [
  ...(http ? [{ flag: "--http", endpoint: http, opens: [tcp] }] : []),
  ...(metrics ? [{ flag: "--metrics", endpoint: metrics, opens: [tcp] }] : []),
];

/** Tells which endpoints are open here already. */
export interface OpenHere {
  has(transport: "udp" | "tcp", endpoint: Endpoint): boolean;
}

/** Throws a Problem that names the first endpoint that is neither free nor open here. Port 0 is always free. */
export async function assertFree(places: readonly Place[], here?: OpenHere): Promise<void> {
  for (const { flag, endpoint, opens } of places) {
    try {
      for (const [transport, open] of opens) if (!here?.has(transport, endpoint)) await open(endpoint);
    } catch (error) {
      throw refused(flag, endpoint, error);
    }
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
