/** A primary with prepared messages, so that the cost of composing them is not measured. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import type { ResourceRecord } from "../../src/dns/reply.ts";
import { TypeCode } from "../../src/dns/wire/constants.ts";
import { TransferMessages } from "../../src/edge/transfer/messages.ts";

export interface BenchPrimary extends AsyncDisposable {
  readonly port: number;
}

/** Serves one zone. The first record is its SOA record, which also ends the transfer. */
export async function primaryOf(records: Iterable<ResourceRecord>): Promise<BenchPrimary> {
  const [soa, ...rest] = records;
  if (!soa) throw new Error("the zone has no SOA record");
  const question = { id: 0, name: soa.owner, edns: false, block: 0 };
  const transfer = composed({ ...question, type: TypeCode.AXFR }, [soa, ...rest, soa]);
  const answer = composed({ ...question, type: TypeCode.SOA }, [soa])[0]!;
  const tcp = createServer((socket) => serve(socket, transfer));
  tcp.listen(0, "127.0.0.1");
  await once(tcp, "listening");
  const address = tcp.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  const udp = createSocket("udp4");
  udp.bind(address.port, "127.0.0.1");
  await once(udp, "listening");
  udp.on("message", (query, peer) => udp.send(withId(answer, query), peer.port, peer.address));
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      udp.close();
      tcp.close();
    },
  };
}

function composed(question: ConstructorParameters<typeof TransferMessages>[0], records: readonly ResourceRecord[]) {
  const messages = new TransferMessages(question);
  return [...records.flatMap((record) => messages.add(record) ?? []), messages.end()];
}

/** Writes as fast as the other side reads. */
function serve(socket: Socket, messages: readonly Uint8Array[]): void {
  socket.on("error", () => {});
  socket.once("data", async (query) => {
    for (const message of messages) {
      const length = Uint8Array.of(message.length >> 8, message.length);
      if (!socket.write(Buffer.concat([length, withId(message, query.subarray(2))]))) await once(socket, "drain");
    }
    socket.end();
  });
}

function withId(message: Uint8Array, query: Uint8Array): Buffer {
  const octets = Buffer.from(message);
  octets.set(query.subarray(0, 2));
  return octets;
}
