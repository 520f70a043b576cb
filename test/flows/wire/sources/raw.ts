/** UDP over IPv4 with any source: the headers are composed here, and may be forged. */
import { createRequire } from "node:module";
import { libc } from "../../../../src/lib/system/libc.ts";
import { composeSockaddr } from "../../../../src/net/socket/address.ts";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

const rawSocket = { family: 2, type: 3, protocol: 255 } as const;
const koffi: typeof import("koffi") = createRequire(import.meta.url)("koffi");
const sendTo = koffi.load("libc.so.6").func("long sendto(int, const void *, size_t, int, const void *, uint32_t)");

export class RawSender {
  readonly #fd = libc().socket(rawSocket.family, rawSocket.type, rawSocket.protocol);

  constructor() {
    if (this.#fd < 0) throw new Error(`a raw socket: ${libc().nameOf(libc().errno())}`);
  }

  send(from: Endpoint, to: Endpoint, payload: Uint8Array): void {
    const datagram = compose(from, to, payload);
    const address = composeSockaddr(to.address, 0);
    if (sendTo(this.#fd, datagram, datagram.length, 0, address, address.length) < 0) {
      throw new Error(`from ${from.address} port ${from.port}: ${libc().nameOf(libc().errno())}`);
    }
  }
}

/** The system fills in the IP header's length, identification and checksum; UDP's checksum may be left out over IPv4. */
function compose(from: Endpoint, to: Endpoint, payload: Uint8Array): Buffer {
  const octets = (address: string) => address.split(".").map(Number);
  const ip = Buffer.from([0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, ...octets(from.address), ...octets(to.address)]);
  const udp = Buffer.alloc(8);
  udp.writeUInt16BE(from.port, 0);
  udp.writeUInt16BE(to.port, 2);
  udp.writeUInt16BE(8 + payload.length, 4);
  return Buffer.concat([ip, udp, payload]);
}
