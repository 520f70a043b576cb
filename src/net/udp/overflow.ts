/** Counts the datagrams that Linux dropped because a socket's receive buffer was full (proc(5)). */
import { readFileSync } from "node:fs";
import type { Endpoint } from "../../lib/address/egress.ts";
import { addressOctets, type Family, familyOf } from "../socket/address.ts";

const files = { 4: "/proc/net/udp", 6: "/proc/net/udp6" } as const;

/** Counts for all sockets at these addresses since they were opened; 0 on systems without the counter. */
export function countOverflows(endpoints: readonly Endpoint[]): number {
  const families = [...new Set(endpoints.map(({ address }) => familyOf(address)))];
  const dropped = families.flatMap((family) => {
    const own = new Set(endpoints.filter(({ address }) => familyOf(address) === family).map(kernelEndpoint));
    return linesOf(family)
      .filter(([, local = ""]) => own.has(local))
      .map((fields) => Number(fields.at(-1)));
  });
  return dropped.reduce((sum, count) => sum + count, 0);
}

/** Returns the fields of each line: a number, the local address and port, and so on; the last is the count. */
function linesOf(family: Family): string[][] {
  try {
    const [, ...lines] = readFileSync(files[family], "utf8").trimEnd().split("\n");
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}

/** Prints an endpoint as in /proc/net: 32-bit words in native order, which is little-endian on Node's platforms except s390x. */
export function kernelEndpoint({ address, port }: Endpoint): string {
  const words = Buffer.from(addressOctets(address)).swap32();
  return `${words.toString("hex")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}
