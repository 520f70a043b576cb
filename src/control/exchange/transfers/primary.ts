/** Asks a primary what its zone is: which serial it has, and what changed or all of it. */
import { randomInt } from "node:crypto";
import { parseReply, type ResourceRecord } from "../../../dns/reply.ts";
import { changesQuestion, padded, soaQuestion, wholeQuestion } from "../../../dns/transfer/question.ts";
import { rcodeName, serialOf, soaIn, type TransferLimits } from "../../../dns/transfer/reply.ts";
import { StreamVerifier } from "../../../dns/tsig/stream.ts";
import { sign, signatureOctets, type TsigKey } from "../../../dns/tsig/tsig.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import type { Floor } from "../../../lib/fair/sender.ts";
import { exchange } from "../../../net/client/exchange.ts";
import { Incoming, type Taken } from "./incoming.ts";
import type { LargeZone } from "./large.ts";
import type { TransferShare } from "./memory.ts";
import type { PrimaryConnection } from "./primary-connection.ts";

export interface Primary {
  readonly address: string;
  readonly port: number;
  /** It is asked over TLS only; over UDP and TCP without it. */
  readonly isTls: boolean;
  /** Where the zone comes over, and over TLS its serial before it. */
  readonly connection: PrimaryConnection;
  /** In the API's spelling. */
  readonly zone: string;
  readonly key: TsigKey | undefined;
  readonly limits: PullLimits;
  readonly share: TransferShare;
  /** Takes what is too large to be held in memory. */
  readonly large: LargeZone;
  readonly signal: AbortSignal;
}

export interface PullLimits extends TransferLimits {
  /** Milliseconds for the answer to one question, and for each message of a transfer. */
  readonly message: number;
  /** Milliseconds for a transfer. */
  readonly transfer: number;
  /** What of a transfer is held in memory: of a whole zone the rest goes to the store, differences have no more. */
  readonly held: TransferLimits;
  /** A slower server makes way for zones of other accounts. */
  readonly least: Floor;
}

/** The serial that the primary has. Over TCP where UDP did not do. */
export async function askSerial(primary: Primary): Promise<number> {
  if (primary.isTls) return await askSerialFinally(primary, "tls");
  try {
    const serial = await askSerialOver(primary, "udp");
    if (serial !== undefined) return serial;
  } catch {
    // what came over UDP may be somebody else's; and for catalogs Knot answers over TCP alone
  }
  return await askSerialFinally(primary, "tcp");
}

async function askSerialFinally(primary: Primary, transport: "tcp" | "tls"): Promise<number> {
  const serial = await askSerialOver(primary, transport);
  if (serial === undefined) throw new WireError(`is truncated over ${transport.toUpperCase()}`);
  return serial;
}

/** Undefined when the answer is truncated. */
async function askSerialOver(primary: Primary, transport: "udp" | "tcp" | "tls"): Promise<number | undefined> {
  const { address, port, zone, limits, share, connection } = primary;
  const name = nameFromApi(zone);
  const { octets, verifier } = signed(primary, soaQuestion(newId(), name));
  const answering =
    transport === "tls"
      ? connection.first(octets)
      : exchange({ address, port, transport, timeout: limits.message }, octets);
  const answer = await share.sender.answer(answering);
  share.sender.signal.throwIfAborted();
  verifier?.take(answer, unixTime());
  const { rcode, flags, answer: records } = parseReply(answer);
  if ((flags & 0x0200) !== 0) return undefined;
  if (rcode !== 0) throw new WireError(`says ${rcodeName(rcode)} when asked for its SOA record`);
  const soa = soaIn(records, name);
  // RFC 1034 section 4.3.5: only an authoritative answer counts
  if (!soa || (flags & 0x0400) === 0) throw new WireError("does not serve the zone");
  return serialOf(soa);
}

/** What changed since an SOA record of ours, or the whole zone without one. */
export async function askZone(primary: Primary, ours: ResourceRecord | undefined): Promise<Taken> {
  const { zone, limits, share, large, connection } = primary;
  share.clear();
  await large.clear();
  const name = nameFromApi(zone);
  const id = newId();
  const question = ours ? changesQuestion(id, name, ours) : wholeQuestion(id, name);
  const { octets, verifier } = signed(primary, question);
  const asked = { id, zone: name, since: ours && serialOf(ours) };
  const incoming = new Incoming(asked, { limits, held: limits.held, share, large });
  for await (const message of share.sender.pieces(connection.messages(octets))) {
    verifier?.take(message, unixTime());
    const taken = await incoming.take(message);
    if (!taken) continue;
    if (verifier && !verifier.isSettled) throw new WireError("has a last message that is not signed");
    return taken;
  }
  throw new WireError("ends before the last SOA record");
}

const newId = () => randomInt(0x10000);
const unixTime = () => Math.floor(Date.now() / 1000);

function signed({ key, isTls }: Primary, question: Uint8Array) {
  const message = isTls ? padded(question, key ? signatureOctets(key) : 0) : question;
  if (!key) return { octets: message, verifier: undefined };
  const { octets, mac } = sign(message, key, unixTime());
  return { octets, verifier: new StreamVerifier(key, mac) };
}
