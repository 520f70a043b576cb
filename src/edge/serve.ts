/** From a packet's octets to an answer's: header, EDNS and opcode are dealt with here, the question in `respond`. */
import type { Foresight } from "../answer/foresight.ts";
import type { ImageReader } from "../answer/image/reader.ts";
import { respond } from "../answer/respond.ts";
import { Steering, type SteeringOptions } from "../answer/steering.ts";
import { emptyAtlas, locateNobody, noFeeds } from "../answer/unknown.ts";
import { Workspace } from "../answer/workspace.ts";
import { Class, Opcode, Rcode, TypeCode } from "../dns/constants.ts";
import { Query } from "../dns/message.ts";
import type { Client } from "../net/service.ts";

export interface ServeOptions extends Partial<SteeringOptions> {
  /** Called with a fault that was answered SERVFAIL. */
  readonly onFault?: (error: unknown) => void;
  /** Of the same image; told of queries before they are answered. */
  readonly foresight?: Foresight | undefined;
}

/**
 * Answers the message in `query` from `from` up to `to`, into `out` at `at` where there is `room`. Returns the octets
 * written; 0 means silence. The caller has entered the image.
 */
export type Serve = (
  query: Uint8Array,
  from: number,
  to: number,
  client: Client,
  transport: "udp" | "tcp",
  out: Uint8Array,
  at: number,
  room: number,
) => number;

/** What we send and take over UDP: passes everywhere in one piece (RFC 9715). */
const maxUdp = 1232;
/** RFC 1035 section 4.2.1: what every client takes. */
const minUdp = 512;
/** RFC 9824 section 4.1: the info code that says why NXNAME cannot be asked for. */
const invalidQueryType = 30;

export function createServe(image: ImageReader, options: ServeOptions = {}): Serve {
  const query = new Query();
  const { live = noFeeds, locate = locateNobody, atlas = emptyAtlas, seed = 0 } = options;
  const space = new Workspace(image, new Steering({ live, locate, atlas, seed }), options.foresight);
  const { message } = space;
  return (packet, from, to, client, transport, out, at, room) => {
    try {
      const verdict = query.parse(packet, from, to);
      if (verdict === "silence") return 0;
      const refusal = refuse(query, verdict === "malformed", transport);
      message.begin(query, out, at, sizeOf(query, transport, room));
      if (refusal === Rcode.NOERROR) respond(space, query, client);
      else message.rcode = refusal;
    } catch (error) {
      options.onFault?.(error);
      message.begin(query, out, at, sizeOf(query, transport, room));
      message.rcode = Rcode.SERVFAIL;
    }
    return message.end(query, maxUdp);
  };
}

/** Octets that the answer may have. */
function sizeOf({ edns }: Query, transport: "udp" | "tcp", room: number): number {
  if (transport === "tcp") return room;
  return Math.min(room, edns.present ? Math.max(minUdp, Math.min(edns.payload, maxUdp)) : minUdp);
}

/** RCODE of what is not looked up at all; NOERROR for an ordinary question. */
function refuse(query: Query, isMalformed: boolean, transport: "udp" | "tcp"): number {
  const { edns, opcode } = query;
  if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) {
    // RFC 8906 section 8.1.4: what the rest means is not known, so nothing of it goes back
    query.hasQuestion = false;
    query.flags = 0;
    return Rcode.NOTIMP;
  }
  if (isMalformed) return Rcode.FORMERR;
  if (edns.present && edns.version > 0) return Rcode.BADVERS;
  if (edns.malformed) return Rcode.FORMERR;
  // RFC 1996 section 3.10: nobody is a primary of ours
  if (opcode === Opcode.NOTIFY) return query.qtype === TypeCode.SOA ? Rcode.REFUSED : Rcode.FORMERR;
  if (query.qclass !== Class.IN) return Rcode.REFUSED;
  return refuseType(query, transport);
}

function refuseType({ edns, qtype }: Query, transport: "udp" | "tcp"): number {
  switch (qtype) {
    case TypeCode.NXNAME:
      edns.extendedError = invalidQueryType;
      return Rcode.FORMERR;
    case TypeCode.OPT:
    case TypeCode.TSIG:
    case TypeCode.TKEY:
      return Rcode.FORMERR;
    case TypeCode.AXFR:
      return transport === "udp" ? Rcode.NOTIMP : Rcode.REFUSED;
    case TypeCode.IXFR:
      return Rcode.REFUSED;
    default:
      return Rcode.NOERROR;
  }
}
