/** Transfer requests: the client, the zone, and the serial to start from. */
import { Class, Opcode, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { headerOctets, Query } from "../../dns/wire/message.ts";
import { Reader, WireError } from "../../dns/wire/wire.ts";
import { networkOf } from "../../lib/address/ip.ts";
import type { Client } from "../../net/socket/service.ts";
import { paddingBlock } from "../serve/options.ts";
import type { PeerBook } from "../serve/peer-book.ts";
import { judgeQuery, zoneOf } from "../serve/signing.ts";
import type { Question } from "./messages.ts";
import { mayAskForZone, type TransferRequest } from "./transfers.ts";

/** Reads messages, one after another. */
export class TransferRequests {
  readonly #query = new Query();

  /** The request in a message when its client may transfer the zone; any other message gets an ordinary answer. */
  read(peers: PeerBook, packet: Uint8Array, from: number, to: number, client: Client): TransferRequest | undefined {
    const query = this.#query;
    if (!mayAskForZone(packet, from, to) || query.parse(packet, from, to) !== "query") return undefined;
    const { edns, opcode, qclass, qtype } = query;
    if (opcode !== Opcode.QUERY || qclass !== Class.IN || edns.malformed || edns.version > 0) return undefined;
    const signature = query.isSigned ? judgeQuery(peers, query, to, Math.floor(Date.now() / 1000)) : undefined;
    if (query.isSigned && signature?.error !== Rcode.NOERROR) return undefined;
    const allowed = peers.mayTransfer(zoneOf(query), client, signature?.key);
    if (!allowed) return undefined;
    const { account_id, zone_id, zone: name } = allowed;
    const zone = { account_id, zone_id, zone: name };
    const since = qtype === TypeCode.IXFR ? serialIn(packet.subarray(from, to)) : undefined;
    return { question: questionOf(query, client), network: networkOf(client.address), zone, since, signature };
  }
}

/** RFC 7830 section 4: a client with EDNS may be sent padding; over TLS, padding hides the size of the zone. */
const questionOf = ({ id, packet, start, questionEnd, qtype, edns }: Query, { isXot }: Client): Question => ({
  id,
  name: packet.slice(start + headerOctets, questionEnd - 4),
  type: qtype,
  edns: edns.present,
  block: isXot ? paddingBlock : 0,
});

/** RFC 1995 section 3: the serial of the client's SOA record, in the authority section. */
function serialIn(message: Uint8Array): number | undefined {
  const reader = new Reader(message);
  try {
    reader.slice(6);
    const [answers, authorities] = [reader.u16(), reader.u16()];
    reader.u16();
    reader.name();
    reader.u32();
    if (answers > 0 || authorities === 0) return undefined;
    reader.name();
    if (reader.u16() !== TypeCode.SOA) return undefined;
    reader.slice(6);
    const rdata = reader.slice(reader.u16());
    rdata.name();
    rdata.name();
    return rdata.u32();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
