/** PROXY protocol version 2: the header in which a trusted proxy names the client of a connection. */
import type { Socket } from "node:net";
import { withoutMapping } from "../../lib/address/ip.ts";
import type { Client } from "../socket/service.ts";

const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const fixedOctets = 16;
/** The most octets of addresses and extensions; more than any proxy sends. */
const longestRest = 2048;

/**
 * Reads the header within `within` milliseconds, and leaves later octets in the socket. Calls `then` with the client,
 * or with `peer` if the proxy connects for itself. Closes a socket with any other content.
 */
export function readProxyHeader(socket: Socket, peer: Client, within: number, then: (client: Client) => void): void {
  const timer = setTimeout(() => socket.destroy(), within);
  socket.on("close", () => clearTimeout(timer));
  let fixed: Uint8Array | undefined;
  const read = () => {
    fixed ??= take(socket, fixedOctets);
    if (!fixed) return;
    const length = (fixed[14]! << 8) | fixed[15]!;
    if (!isHeader(fixed) || length > longestRest) return void socket.destroy();
    const rest = length === 0 ? new Uint8Array(0) : take(socket, length);
    if (!rest) return;
    clearTimeout(timer);
    socket.off("readable", read);
    const client = clientOf(fixed, rest, peer);
    if (client) then(client);
    else socket.destroy();
  };
  socket.on("readable", read);
  read();
}

/** Takes exactly `length` octets, once they have arrived. Closes the socket if its stream ends before. */
function take(socket: Socket, length: number): Uint8Array | undefined {
  const octets: Uint8Array | null = socket.read(length);
  if (octets !== null && octets.length < length) socket.destroy();
  return octets?.length === length ? octets : undefined;
}

/** Whether this is version 2 with a valid command: LOCAL or PROXY. */
const isHeader = (fixed: Uint8Array) =>
  signature.equals(fixed.subarray(0, 12)) && (fixed[12]! === 0x20 || fixed[12]! === 0x21);

const local = 0x20;
const tcpOverIpv4 = 0x11;
const tcpOverIpv6 = 0x21;

function clientOf(fixed: Uint8Array, rest: Uint8Array, peer: Client): Client | undefined {
  const kind = fixed[13]!;
  if (fixed[12] === local || (kind !== tcpOverIpv4 && kind !== tcpOverIpv6)) return peer;
  const octets = kind === tcpOverIpv4 ? 4 : 16;
  if (rest.length < 2 * octets + 4) return undefined;
  const at = 2 * octets;
  // a proxy with one socket for both families reports clients with IPv4 as IPv4-mapped addresses
  const address = withoutMapping(rest.slice(0, octets));
  return {
    ...peer,
    family: address.length === 4 ? 4 : 6,
    address,
    port: (rest[at]! << 8) | rest[at + 1]!,
  };
}
