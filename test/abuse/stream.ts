/** DNS over TCP for loads and victims: pipelined queries, and transfers that are read as slowly as wanted. */
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { queryOf } from "../scenarios/image.ts";

export function open(port: number, from = "127.0.0.1"): Socket {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  return socket;
}

export const framed = (octets: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(octets.length >> 8, octets.length & 255), octets]);

/** Transfers a zone; rejects unless its last message, which ends with the SOA record again, arrives. */
export function transfer(port: number, zone: string): Promise<void> {
  const socket = open(port);
  return new Promise((resolve, reject) => {
    let records = 0;
    let rest = Buffer.alloc(0);
    socket.setTimeout(5000, () => socket.destroy());
    socket.on("close", () => reject(new Error("the transfer was cut off")));
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let size = sizeOf(rest); size > 0; size = sizeOf(rest)) {
        records += rest.readUInt16BE(8);
        if ((rest[5]! & 15) !== 0) return socket.destroy();
        rest = rest.subarray(size);
      }
      // of a small zone all records are in one message
      if (records < 2) return undefined;
      resolve();
      return socket.destroy();
    });
    socket.write(framed(queryOf({ name: zone, type: "AXFR" })));
  });
}

const sizeOf = (octets: Buffer) =>
  octets.length < 2 || octets.length < 2 + octets.readUInt16BE() ? 0 : 2 + octets.readUInt16BE();

/** Transfers a zone again and again, reading so many octets a second. */
export async function readSlowly(socket: Socket, zone: string, speed: number, signal: AbortSignal): Promise<void> {
  const step = 100;
  socket.on("readable", () => {});
  socket.write(framed(queryOf({ name: zone, type: "AXFR" })));
  while (!signal.aborted && !socket.destroyed) {
    socket.read(Math.min(Math.ceil((speed * step) / 1000), socket.readableLength || 1));
    await delay(step, undefined, { signal }).catch(() => {});
  }
  socket.destroy();
}
