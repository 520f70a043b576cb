/** A client that transfers zones and only counts records. */
import { connect } from "node:net";
import { question } from "../../test/dns/message.ts";
import { labels } from "../../test/dns/names.ts";

const axfr = 252;

export interface Transfer {
  /** The number of received records; too small if the connection was closed early. */
  readonly records: number;
  readonly refused: boolean;
}

/** Transfers a zone of `records` records, including both SOA records. */
export function transferred(port: number, zone: string, records: number, signal?: AbortSignal): Promise<Transfer> {
  const socket = connect({ host: "127.0.0.1", port, ...(signal ? { signal } : {}) });
  const query = question(labels(zone), axfr);
  socket.write(Buffer.concat([Uint8Array.of(query.length >> 8, query.length), query]));
  let held: Buffer = Buffer.alloc(0);
  let count = 0;
  let refused = false;
  return new Promise((resolve) => {
    socket.on("error", () => {});
    socket.on("close", () => resolve({ records: count, refused }));
    socket.on("data", (octets: Buffer) => {
      held = held.length === 0 ? octets : Buffer.concat([held, octets]);
      while (held.length >= 2 && held.length >= 2 + held.readUInt16BE()) {
        count += held.readUInt16BE(2 + 6);
        refused ||= (held[2 + 3]! & 15) !== 0;
        held = held.subarray(2 + held.readUInt16BE());
      }
      if (refused || count >= records) socket.destroy();
    });
  });
}
