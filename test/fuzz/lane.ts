/** The common interface of all ways to send packets. */
import type { Ledger } from "./ledger.ts";
import { judge, type Transport } from "./oracle.ts";
import type { PacketMaker } from "./packets.ts";

export interface LaneOptions {
  readonly ledger: Ledger;
  readonly maker: PacketMaker;
  /** The number of packets to send. */
  readonly packets: number;
  readonly port: number;
  /** Length of the server's identifier. */
  readonly nsid: number;
}

/** Milliseconds after which a reply is taken to be lost, also on a busy machine. */
export const patience = 4000;
/** The number of times that an unanswered packet is sent again, alone. */
export const attempts = 4;

/** Judges a reply, and reports its fault. */
export function receive({ ledger, nsid }: LaneOptions, transport: Transport, query: Buffer, reply: Buffer): void {
  ledger.receive(reply);
  const wrong = judge(query, reply, transport, nsid);
  if (wrong !== undefined) ledger.find(transport, `${wrong}; the reply is ${reply.toString("hex")}`, query);
}
