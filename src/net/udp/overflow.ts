/** Datagrams that the system itself dropped because a socket's receive buffer was full, as Linux counts them (proc(5)). */
import { readFileSync } from "node:fs";
import { addressOctets, type Family, familyOf } from "../socket/address.ts";

export interface UdpPlace {
  readonly address: string;
  readonly port: number;
}

const files = { 4: "/proc/net/udp", 6: "/proc/net/udp6" } as const;

/** Of all sockets at these places, since they were opened; 0 where the system does not tell. */
export function countOverflows(places: readonly UdpPlace[]): number {
  const families = [...new Set(places.map(({ address }) => familyOf(address)))];
  const dropped = families.flatMap((family) => {
    const own = new Set(places.filter(({ address }) => familyOf(address) === family).map(printPlace));
    return linesOf(family)
      .filter(([, place = ""]) => own.has(place))
      .map((fields) => Number(fields.at(-1)));
  });
  return dropped.reduce((sum, count) => sum + count, 0);
}

/** Each line's fields: a number, the local address and port, and so on; the last is the count. */
function linesOf(family: Family): string[][] {
  try {
    const [, ...lines] = readFileSync(files[family], "utf8").trimEnd().split("\n");
    return lines.map((line) => line.trim().split(/\s+/));
  } catch {
    return [];
  }
}

/** As the kernel prints it: words of 32 bits in the machine's own order, which is little-endian wherever Node runs on Linux but s390x. */
function printPlace({ address, port }: UdpPlace): string {
  const words = Buffer.from(addressOctets(address)).swap32();
  return `${words.toString("hex")}:${port.toString(16).padStart(4, "0")}`.toUpperCase();
}
