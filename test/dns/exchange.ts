/** Many questions to a server at once: over UDP with a window of outstanding ones, over TCP pipelined on one connection. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";

const window = 200;
const patience = 1000;
const attempts = 20;

/** The replies over UDP, in the order of the queries, with the id 0. Asks again when a datagram is lost. */
export async function exchangeUdp(port: number, queries: readonly Buffer[]): Promise<Buffer[]> {
  if (queries.length === 0) return [];
  const socket = createSocket({ type: "udp4", recvBufferSize: 4 << 20 });
  socket.connect(port, "127.0.0.1");
  await once(socket, "connect");
  const replies = new Array<Buffer>(queries.length);
  const waiting = new Map<number, { index: number; sent: number; attempt: number }>();
  let next = 0;
  const send = (index: number, attempt: number) => {
    const id = index & 0xffff;
    waiting.set(id, { index, sent: Date.now(), attempt });
    socket.send(withId(queries[index]!, id));
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const again = setInterval(() => {
        for (const { index, sent, attempt } of waiting.values()) {
          if (Date.now() - sent < patience) continue;
          if (attempt === attempts)
            return reject(new Error(`no reply from port ${port} to ${queries[index]!.toString("hex")}`));
          send(index, attempt + 1);
        }
      }, 200);
      socket.on("close", () => clearInterval(again));
      socket.on("error", reject);
      socket.on("message", (message) => {
        const found = waiting.get(message.readUInt16BE(0));
        if (!found) return;
        waiting.delete(message.readUInt16BE(0));
        replies[found.index] = withId(message, 0);
        while (waiting.size < window && next < queries.length) send(next++, 1);
        if (waiting.size === 0) resolve();
      });
      while (waiting.size < window && next < queries.length) send(next++, 1);
    });
  } finally {
    socket.close();
  }
  return replies;
}

/** The replies over one TCP connection, in the order of the queries, with the id 0. */
export async function exchangeTcp(port: number, queries: readonly Buffer[]): Promise<Buffer[]> {
  if (queries.length === 0) return [];
  if (queries.length > 0xffff) throw new Error("more queries than ids");
  const replies = new Array<Buffer>(queries.length);
  const socket = connect(port, "127.0.0.1");
  socket.write(Buffer.concat(queries.map((query, index) => framed(withId(query, index)))));
  let received = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
      const message = rest.subarray(2, 2 + rest.readUInt16BE(0));
      rest = rest.subarray(2 + message.length);
      replies[message.readUInt16BE(0)] = withId(message, 0);
      received++;
    }
    if (received === queries.length) break;
  }
  if (received < queries.length)
    throw new Error(`port ${port} closed TCP after ${received} of ${queries.length} replies`);
  return replies;
}

function withId(message: Buffer, id: number): Buffer {
  const copy = Buffer.from(message);
  copy.writeUInt16BE(id, 0);
  return copy;
}

const framed = (message: Buffer) => Buffer.concat([Buffer.of(message.length >> 8, message.length & 0xff), message]);
