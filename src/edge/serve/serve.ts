/** Answers packets: handles header, EDNS and opcode, and leaves the question to `respond`. */

import { Steering, type SteeringOptions } from "../../answer/chain/steering.ts";
import { turnIsOver } from "../../answer/chain/turns.ts";
import { emptyAtlas, locateNobody, noFeeds } from "../../answer/chain/unknown.ts";
import type { ImageReader } from "../../answer/image/reader.ts";
import type { Trail } from "../../answer/lookup/lookup.ts";
import type { Prefetch } from "../../answer/lookup/prefetch.ts";
import { respond } from "../../answer/reply/respond.ts";
import { type Count, Workspace } from "../../answer/reply/workspace.ts";
import { ExtendedError, Opcode, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { headerOctets, Query } from "../../dns/wire/message.ts";
import type { TimeShare } from "../../lib/fair/time-share.ts";
import { type Client, unfinished } from "../../net/socket/service.ts";
import { type Incoming, noPeers } from "../../sync/peers.ts";
import { type Offers, offerOptions, type Transport } from "./options.ts";
import { PeerBook } from "./peer-book.ts";
import { answerKind, type RateLimiter } from "./rate.ts";
import { type Asker, Refusals } from "./refusals.ts";
import { type JudgedSignature, judgeQuery, signReply, sizeToSign } from "./signing.ts";
import { ZoneRequests } from "./zone-requests.ts";

export interface ServeOptions extends Partial<SteeringOptions>, Offers {
  /** Called with a fault that was answered SERVFAIL; `isData`: every query for this name and type causes it. */
  readonly onFault?: (error: unknown, isData: boolean) => void;
  /** The engine's position in the data, so that a fault can be traced to its data; 0 outside of look-ups. */
  readonly trail?: Trail | undefined;
  /** Reads ahead in the same image: gets the names of a batch before its queries are answered. */
  readonly prefetch?: Prefetch | undefined;
  /** Called with each look-up of a question. */
  readonly count?: Count | undefined;
  /** Limits answers over UDP to clients without a valid cookie or signature. */
  readonly limiter?: RateLimiter | undefined;
  /** The worker's time for signatures; without it, any time. */
  readonly signatures?: TimeShare | undefined;
  /** The current keys and partners of zones; without it there are none. */
  readonly peers?: () => PeerBook;
  /** Called when a primary notifies that a zone has changed. */
  readonly onNotify?: (zone: Incoming) => void;
  /** Called for a query whose chains took time, with microseconds. */
  readonly onSpent?: (microseconds: number) => void;
  /** Called for an answer that the limiter holds back. */
  readonly onLimited?: () => void;
}

/**
 * Answers the message in `query` from `from` up to `to`, into `out` at `at` where there is `room`. Returns the octets
 * written; 0 means silence, `unfinished` that the query's turn is over. The caller has entered the image.
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

/** Maximum octets over UDP in both directions: messages of this size pass every network unfragmented (RFC 9715). */
export const mostUdp = 1232;
/** Offset of the counts that follow the header's count of questions. */
const countsAt = 6;
/** RFC 1035 section 4.2.1: every client accepts this size. */
const leastUdp = 512;
const noBook = new PeerBook(noPeers);
const noClient: Client = { family: 4, address: new Uint8Array(4), port: 0 };

export function createServe(image: ImageReader, options: ServeOptions = {}): Serve {
  const query = new Query();
  const {
    live = noFeeds,
    locate = locateNobody,
    atlas = emptyAtlas,
    seed = 0,
    onChain,
    clock,
    turns,
    onSpent,
  } = options;
  const space = new Workspace(
    image,
    new Steering({ live, locate, atlas, seed, onChain, clock, turns }),
    options.prefetch,
    options.count,
    options.trail,
  );
  const { message } = space;
  const { opt } = message;
  const { trail } = space.found;
  const { limiter, signatures, peers = () => noBook, onNotify = () => {} } = options;
  const zones = new ZoneRequests(image, opt, peers, onNotify);
  const refusals = new Refusals(opt, zones, options.cookies !== undefined);
  const asker: Asker = { client: noClient, transport: "udp", key: undefined };
  /** Replaces an answer beyond the limit: a real client then sends a cookie, or asks over TCP. */
  const replaceAnswer = (out: Uint8Array, at: number, room: number) => {
    opt.extendedError = -1;
    message.begin(query, out, at, sizeOf(query, "udp", room));
    if (options.cookies && query.edns.cookieOctets > 0) message.rcode = Rcode.BADCOOKIE;
    else message.truncated = true;
  };
  /** Whether a signature is worth its time: not if there is none left, and the client's network has sent wrong ones. */
  const isVerified = (client: Client, transport: Transport) =>
    transport !== "udp" || signatures?.isUsedUp !== true || limiter?.isSpent(client, answerKind.error) !== true;
  return (packet, from, to, client, transport, out, at, room) => {
    let isKnown = false;
    space.denied = 0;
    let signature: JudgedSignature | undefined;
    try {
      const verdict = query.parse(packet, from, to);
      if (verdict === "silence") return 0;
      opt.begin(query);
      if (query.edns.asked !== 0 || query.edns.cookieOctets > 0) {
        isKnown = offerOptions(opt, query, client, transport, options);
      }
      const isSigned = query.isSigned && verdict === "query";
      if (isSigned) {
        if (!isVerified(client, transport)) {
          options.onLimited?.();
          return 0;
        }
        const startedAt = performance.now();
        signature = judgeQuery(peers(), query, to, unixTime());
        signatures?.spend(performance.now() - startedAt);
      }
      const isValid = signature?.error === Rcode.NOERROR;
      isKnown ||= isValid;
      asker.client = client;
      asker.transport = transport;
      asker.key = signature?.key;
      const refusal = isSigned && !isValid ? refuseSignature(signature) : refusals.rcodeOf(query, verdict, asker);
      const size = sizeOf(query, transport, room);
      message.begin(query, out, at, signature ? sizeToSign(signature, query, opt, size) : size);
      if (refusal !== Rcode.NOERROR) message.rcode = refusal;
      else if (query.opcode === Opcode.NOTIFY) message.authoritative = true;
      else if (verdict === "query") {
        space.found.isAdmitted = query.qtype === TypeCode.SOA && zones.admits(query, client, asker.key);
        respond(space, query, client);
        if (onSpent && space.steering.spent > 0) onSpent(space.steering.spent);
      }
    } catch (error) {
      if (error === turnIsOver) {
        trail[0] = 0;
        return unfinished;
      }
      options.onFault?.(error, trail[0] !== 0 && failsAgain(space, query));
      signature = undefined;
      opt.extendedError = ExtendedError.OTHER;
      space.denied = 0;
      message.begin(query, out, at, sizeOf(query, transport, room));
      message.rcode = Rcode.SERVFAIL;
    }
    trail[0] = 0;
    if (limiter && transport === "udp" && !isKnown) {
      const admission = limiter.admit(client, kindOf(message.rcode, space.denied), space.denied, space.asked);
      if (admission !== "send") options.onLimited?.();
      if (admission === "drop") return 0;
      if (admission === "slip") {
        replaceAnswer(out, at, room);
        signature = undefined;
      }
    }
    const length = message.end(query, mostUdp);
    if (!signature) return length;
    const startedAt = performance.now();
    const signed = signReply(signature, out, at, length, unixTime());
    signatures?.spend(performance.now() - startedAt);
    return signed;
  };
}

/** Whether the question fails even without options and client facts: then the data cause the fault. */
function failsAgain(space: Workspace, { packet, start, questionEnd }: Query): boolean {
  const bare = packet.slice(start, questionEnd);
  // nothing follows the question now
  bare.fill(0, countsAt, headerOctets);
  const query = new Query();
  query.parse(bare, 0, bare.length);
  try {
    space.message.begin(query, new Uint8Array(mostUdp), 0, mostUdp);
    respond(space, query, { family: 4, address: new Uint8Array(4) });
    return false;
  } catch {
    return true;
  }
}
const unixTime = () => Math.floor(Date.now() / 1000);

/** RFC 8945 section 5.2: FORMERR for a malformed signature; NOTAUTH for a wrong one, with the reply's TSIG error. */
const refuseSignature = (signature: JudgedSignature | undefined) => (signature ? Rcode.NOTAUTH : Rcode.FORMERR);

/** All RCODEs other than NOERROR and NXDOMAIN are errors. */
function kindOf(rcode: number, denied: number) {
  if (denied !== 0) return answerKind.denial;
  return rcode === Rcode.NOERROR ? answerKind.answer : answerKind.error;
}

/** Maximum octets of the answer. */
function sizeOf({ edns }: Query, transport: Transport, room: number): number {
  if (transport !== "udp") return room;
  return Math.min(room, edns.present ? Math.max(leastUdp, Math.min(edns.payload, mostUdp)) : leastUdp);
}
