/** From a packet's octets to an answer's: header, EDNS and opcode are dealt with here, the question in `respond`. */

import { Steering, type SteeringOptions } from "../../answer/chain/steering.ts";
import { emptyAtlas, locateNobody, noFeeds } from "../../answer/chain/unknown.ts";
import type { ImageReader } from "../../answer/image/reader.ts";
import type { Foresight } from "../../answer/lookup/foresight.ts";
import type { Trail } from "../../answer/lookup/lookup.ts";
import { respond } from "../../answer/reply/respond.ts";
import { type Count, Workspace } from "../../answer/reply/workspace.ts";
import { Class, ExtendedError, Opcode, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import type { Edns } from "../../dns/wire/edns.ts";
import { headerOctets, Query, type Verdict } from "../../dns/wire/message.ts";
import type { Client } from "../../net/socket/service.ts";
import { type Incoming, noPeers } from "../../sync/peers.ts";
import { type Offers, offerOptions, type Transport } from "./options.ts";
import { type KnownKey, PeerBook } from "./peer-book.ts";
import { answerKind, type RateLimiter } from "./rate.ts";
import { type JudgedSignature, judgeQuery, signReply, sizeToSign } from "./signing.ts";
import { ZoneRequests } from "./zone-requests.ts";

export interface ServeOptions extends Partial<SteeringOptions>, Offers {
  /** Called with a fault that was answered SERVFAIL; `isData`: any query for this name and type meets it. */
  readonly onFault?: (error: unknown, isData: boolean) => void;
  /** Told where the engine is; 0 while it is nowhere. */
  readonly trail?: Trail | undefined;
  /** Of the same image; told of queries before they are answered. */
  readonly foresight?: Foresight | undefined;
  /** Told of each look-up of a question. */
  readonly count?: Count | undefined;
  /** Of answers over UDP to clients that have no cookie of ours. */
  readonly limiter?: RateLimiter | undefined;
  /** Keys, and who may do what with zones, as known now; nobody without it. */
  readonly peers?: () => PeerBook;
  /** Called when a primary says that a zone has changed. */
  readonly onNotify?: (zone: Incoming) => void;
  /** Called for an answer that the limiter holds back. */
  readonly onLimited?: () => void;
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
  transport: Transport,
  out: Uint8Array,
  at: number,
  room: number,
) => number;

/** What we send and take over UDP: passes everywhere in one piece (RFC 9715). */
const maxUdp = 1232;
/** Where a header counts the records behind the question. */
const countsAt = 6;
/** RFC 1035 section 4.2.1: what every client takes. */
const minUdp = 512;
const nobody = new PeerBook(noPeers);
const noClient: Client = { family: 4, address: new Uint8Array(4), port: 0 };

export function createServe(image: ImageReader, options: ServeOptions = {}): Serve {
  const query = new Query();
  const { live = noFeeds, locate = locateNobody, atlas = emptyAtlas, seed = 0, onChain } = options;
  const space = new Workspace(
    image,
    new Steering({ live, locate, atlas, seed, onChain }),
    options.foresight,
    options.count,
    options.trail,
  );
  const { message } = space;
  const { trail } = space.found;
  const { limiter, peers = () => nobody, onNotify = () => {} } = options;
  const zones = new ZoneRequests(image, peers, onNotify);
  const asker: Asker = { client: noClient, transport: "udp", key: undefined };
  /** In place of an answer over the limit: the client shows by a cookie, or by TCP, that it is where it seems to be. */
  const leadOn = (out: Uint8Array, at: number, room: number) => {
    query.edns.extendedError = -1;
    message.begin(query, out, at, sizeOf(query, "udp", room));
    if (options.cookies && query.edns.cookieOctets > 0) message.rcode = Rcode.BADCOOKIE;
    else message.truncated = true;
  };
  return (packet, from, to, client, transport, out, at, room) => {
    let isKnown = false;
    space.denied = 0;
    let signature: JudgedSignature | undefined;
    try {
      const verdict = query.parse(packet, from, to);
      if (verdict === "silence") return 0;
      if (query.edns.asked !== 0 || query.edns.cookieOctets > 0) {
        isKnown = offerOptions(query, client, transport, options);
      }
      const isSigned = query.isSigned && verdict === "query";
      if (isSigned) signature = judgeQuery(peers(), query, to, unixTime());
      const holds = signature?.error === Rcode.NOERROR;
      isKnown ||= holds;
      asker.client = client;
      asker.transport = transport;
      asker.key = signature?.key;
      const refusal = isSigned && !holds ? refuseSignature(signature) : refuse(query, verdict, asker, options, zones);
      const size = sizeOf(query, transport, room);
      message.begin(query, out, at, signature ? sizeToSign(signature, query, size) : size);
      if (refusal !== Rcode.NOERROR) message.rcode = refusal;
      else if (query.opcode === Opcode.NOTIFY) message.authoritative = true;
      else if (verdict === "query") {
        space.found.isAdmitted = query.qtype === TypeCode.SOA && zones.admits(query, client, asker.key);
        respond(space, query, client);
      }
    } catch (error) {
      options.onFault?.(error, trail[0] !== 0 && failsAgain(space, query));
      signature = undefined;
      query.edns.extendedError = ExtendedError.OTHER;
      space.denied = 0;
      message.begin(query, out, at, sizeOf(query, transport, room));
      message.rcode = Rcode.SERVFAIL;
    }
    trail[0] = 0;
    if (limiter && transport === "udp" && !isKnown) {
      const admission = limiter.admit(client, kindOf(message.rcode, space.denied), space.denied);
      if (admission !== "send") options.onLimited?.();
      if (admission === "drop") return 0;
      if (admission === "slip") {
        leadOn(out, at, room);
        signature = undefined;
      }
    }
    const length = message.end(query, maxUdp);
    return signature ? signReply(signature, out, at, length, unixTime()) : length;
  };
}

/** Whether the bare question, from nobody, fails as well: then no client's options are to blame. */
function failsAgain(space: Workspace, { packet, start, questionEnd }: Query): boolean {
  const bare = packet.slice(start, questionEnd);
  // as many other records as follow: none
  bare.fill(0, countsAt, headerOctets);
  const query = new Query();
  query.parse(bare, 0, bare.length);
  try {
    space.message.begin(query, new Uint8Array(maxUdp), 0, maxUdp);
    respond(space, query, { family: 4, address: new Uint8Array(4) });
    return false;
  } catch {
    return true;
  }
}
const unixTime = () => Math.floor(Date.now() / 1000);

/** RFC 8945 section 5.2: what is malformed is FORMERR, what does not hold is NOTAUTH with the reason in the signature. */
const refuseSignature = (signature: JudgedSignature | undefined) => (signature ? Rcode.NOTAUTH : Rcode.FORMERR);

/** RCODEs by which a client can tell that it asked something amiss, and ours of a fault, count as errors. */
function kindOf(rcode: number, denied: number) {
  if (denied !== 0) return answerKind.denial;
  return rcode === Rcode.NOERROR ? answerKind.answer : answerKind.error;
}

/** Octets that the answer may have. */
function sizeOf({ edns }: Query, transport: Transport, room: number): number {
  if (transport !== "udp") return room;
  return Math.min(room, edns.present ? Math.max(minUdp, Math.min(edns.payload, maxUdp)) : minUdp);
}

/** One object, filled anew by each query. */
interface Asker {
  client: Client;
  transport: Transport;
  /** Signed the query. */
  key: KnownKey | undefined;
}

/** RCODE of what is not looked up at all; NOERROR for an ordinary question, and for a cookie without one. */
function refuse(
  query: Query,
  verdict: Verdict,
  { client, transport, key }: Readonly<Asker>,
  { cookies }: Offers,
  zones: ZoneRequests,
): number {
  const { edns, opcode } = query;
  if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) {
    // RFC 8906 section 8.1.4: what the rest means is not known, so nothing of it goes back
    query.hasQuestion = false;
    query.flags = 0;
    return because(edns, ExtendedError.NOT_SUPPORTED, Rcode.NOTIMP);
  }
  if (verdict === "malformed") return Rcode.FORMERR;
  if (edns.present && edns.version > 0) return Rcode.BADVERS;
  if (edns.malformed) return Rcode.FORMERR;
  if (verdict === "empty") return refuseEmpty(query, cookies !== undefined);
  if (opcode === Opcode.NOTIFY) return zones.notify(query, client, key);
  if (query.qclass !== Class.IN) return because(edns, ExtendedError.NOT_AUTHORITATIVE, Rcode.REFUSED);
  if (query.qtype === TypeCode.AXFR || query.qtype === TypeCode.IXFR)
    return zones.transfer(query, client, transport, key);
  return refuseType(query);
}

/** RFC 7873 section 5.4: without a question, a cookie can be asked for. */
const refuseEmpty = ({ opcode, edns }: Query, hasCookies: boolean) =>
  hasCookies && opcode === Opcode.QUERY && edns.cookieOctets > 0 ? Rcode.NOERROR : Rcode.FORMERR;

function refuseType({ edns, qtype }: Query): number {
  switch (qtype) {
    case TypeCode.NXNAME:
    case TypeCode.OPT:
    case TypeCode.TSIG:
    case TypeCode.TKEY:
      return because(edns, ExtendedError.INVALID_QUERY_TYPE, Rcode.FORMERR);
    default:
      return Rcode.NOERROR;
  }
}

function because(edns: Edns, code: number, rcode: number): number {
  edns.extendedError = code;
  return rcode;
}
