/** Asks a primary for the serial of a zone, and for its changes or the whole zone. */
import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parseReply, type ResourceRecord } from "../../../dns/reply.ts";
import { axfrQuery, ixfrQuery, padded, soaQuery } from "../../../dns/transfer/query.ts";
import { serialOf, soaIn, type TransferLimits, TransferReader } from "../../../dns/transfer/reply.ts";
import { tsigAlgorithmNamed } from "../../../dns/tsig/algorithms.ts";
import { StreamVerifier } from "../../../dns/tsig/stream.ts";
import { sign, signatureOctets, type TsigKey } from "../../../dns/tsig/tsig.ts";
import { rcodeName } from "../../../dns/wire/constants.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { WireError } from "../../../dns/wire/wire.ts";
import type { Floor, MeasuredInput } from "../../../lib/fair/measured-input.ts";
import { Problem } from "../../../lib/problem.ts";
import { exchange, isAnswerTo } from "../../../net/client/exchange.ts";
import type { PrimaryServer, SecondarySettings } from "../../../sync/peers.ts";
import { Incoming, type TransferOutcome } from "./incoming.ts";
import type { LargeZone } from "./large.ts";
import type { TransferShare } from "./memory.ts";
import type { PrimaryConnection } from "./primary-connection.ts";

/** A server that is asked for a zone. */
export interface Server {
  readonly address: string;
  readonly port: number;
  /** Whether the primary is asked over TLS only; otherwise over UDP and TCP. */
  readonly isTls: boolean;
  /** Carries the zone, and over TLS the SOA query before it. */
  readonly connection: PrimaryConnection;
  /** In the API's spelling. */
  readonly zone: string;
  readonly key: TsigKey | undefined;
  readonly limits: PullLimits;
  /** Measures the speed of the server. */
  readonly input: MeasuredInput;
  readonly signal: AbortSignal;
}

/** A server whose zone is taken over. */
export interface Primary extends Server {
  readonly share: TransferShare;
  /** Takes zones too large to be held in memory. */
  readonly large: LargeZone;
}

export interface PullLimits extends TransferLimits {
  /** The time limit for the answer to one query, and for each message of a transfer, in milliseconds. */
  readonly message: number;
  /** The time limit of a transfer in milliseconds. */
  readonly transfer: number;
  /** The maximum held in memory: a larger whole zone goes to the store, larger differences are refused. */
  readonly held: TransferLimits;
  /** A slower server can lose its slot to zones of other accounts. */
  readonly least: Floor;
}

/**
 * No valid DNS message came from the server. The message is the same for a closed port, a silent one, and one of another
 * service, since accounts choose the address. The operator's log has the cause.
 */
export class Unheard extends WireError {
  constructor(cause: unknown) {
    super("no valid DNS answer came; check the address, the port, firewalls, and TLS if it is used");
    this.cause = cause;
  }
}

/** The milliseconds in which `askSerial` is certain to end, however the server fails. */
const askedWithin = ({ isTls, limits }: Pick<Server, "isTls" | "limits">): number =>
  limits.message * (isTls ? 1 : 2) + slack;
const slack = 500;

/**
 * A server that speaks no DNS takes the same time however it fails. Otherwise the time until the error, or until the next
 * server is asked, would tell a closed port from an open one.
 */
export async function askSerialEvenly(primary: Server): Promise<number> {
  const began = performance.now();
  try {
    return await askSerial(primary);
  } catch (error) {
    const left = askedWithin(primary) - (performance.now() - began);
    if (error instanceof Unheard && left > 0) {
      const { signal } = primary;
      await delay(left, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
    throw error;
  }
}

/** Returns the primary's serial. Asks over TCP if UDP fails. Throws `Unheard` if the server speaks no DNS. */
async function askSerial(primary: Server): Promise<number> {
  if (primary.isTls) return await askSerialFinally(primary, "tls");
  try {
    const serial = await askSerialOver(primary, "udp");
    if (serial !== undefined) return serial;
  } catch {
    // the UDP answer may have been forged; and Knot answers for catalogs over TCP only
  }
  return await askSerialFinally(primary, "tcp");
}

async function askSerialFinally(primary: Server, transport: "tcp" | "tls"): Promise<number> {
  const serial = await askSerialOver(primary, transport);
  if (serial === undefined) throw new WireError(`sent a truncated answer over ${transport.toUpperCase()}`);
  return serial;
}

/** Returns undefined when the answer is truncated. */
async function askSerialOver(primary: Server, transport: "udp" | "tcp" | "tls"): Promise<number | undefined> {
  const name = nameFromApi(primary.zone);
  const { octets, verifier } = signed(primary, soaQuery(newId(), name));
  const { answer, reply } = await firstAnswer(primary, transport, octets);
  verifier?.take(answer, unixTime());
  const { rcode, flags, answer: records } = reply;
  if ((flags & 0x0200) !== 0) return undefined;
  if (rcode !== 0) throw new WireError(`answered the SOA query with ${rcodeName(rcode)}`);
  const soa = soaIn(records, name);
  // RFC 1034 section 4.3.5: only an authoritative answer is valid
  if (!soa || (flags & 0x0400) === 0) throw new WireError("does not serve the zone");
  return serialOf(soa);
}

async function firstAnswer(primary: Server, transport: "udp" | "tcp" | "tls", query: Uint8Array) {
  const { address, port, limits, input, connection } = primary;
  try {
    const answering =
      transport === "tls"
        ? connection.first(query)
        : exchange({ address, port, transport, timeout: limits.message }, query);
    const answer = await input.answer(answering);
    input.signal.throwIfAborted();
    if (!isAnswerTo(answer, query)) throw new WireError("sent something else than an answer");
    return { answer, reply: parseReply(answer) };
  } catch (error) {
    primary.signal.throwIfAborted();
    throw isOfServer(error) ? new Unheard(error) : error;
  }
}

/** Whether the error is the server's or the network's fault. */
export const isOfServer = (error: unknown): boolean =>
  error instanceof WireError ||
  error instanceof Problem ||
  (error instanceof Error && ("syscall" in error || error.constructor === Error));

/** Asks for the changes since our SOA record; if `ours` is undefined, for the whole zone. */
export async function askZone(primary: Primary, ours: ResourceRecord | undefined): Promise<TransferOutcome> {
  const { zone, limits, share, large } = primary;
  share.clear();
  await large.clear();
  const name = nameFromApi(zone);
  const id = newId();
  const asked = { id, zone: name, since: ours && serialOf(ours) };
  const incoming = new Incoming(asked, { limits, held: limits.held, share, large });
  for await (const { message, assertSigned } of answers(
    primary,
    ours ? ixfrQuery(id, name, ours) : axfrQuery(id, name),
  )) {
    const taken = await incoming.take(message);
    if (!taken) continue;
    assertSigned();
    return taken;
  }
  throw new WireError("ended the transfer before the last SOA record");
}

/** Asks for the whole zone, and yields its records as they arrive: the SOA record first, and only once. */
export async function* zoneRecords(server: Server): AsyncGenerator<readonly ResourceRecord[]> {
  const zone = nameFromApi(server.zone);
  const id = newId();
  const reader = new TransferReader({ id, zone, since: undefined }, server.limits);
  let isBegun = false;
  for await (const { message, assertSigned } of answers(server, axfrQuery(id, zone))) {
    reader.take(message);
    if (reader.isComplete) assertSigned();
    yield [...(reader.soa && !isBegun ? [reader.soa] : []), ...reader.drain()];
    isBegun = reader.soa !== undefined;
    if (reader.isComplete) return;
  }
  throw new WireError("ended the transfer before the last SOA record");
}

interface Answer {
  readonly message: Uint8Array;
  /** Throws a WireError if messages up to this one are not signed, as only messages in between may be. */
  readonly assertSigned: () => void;
}

/** Yields the messages of the answer, whose signatures are checked. */
async function* answers(server: Server, question: Uint8Array): AsyncGenerator<Answer> {
  const { octets, verifier } = signed(server, question);
  const assertSigned = () => {
    if (verifier && !verifier.isSettled) throw new WireError("did not sign the last message");
  };
  for await (const message of server.input.pieces(server.connection.messages(octets))) {
    verifier?.take(message, unixTime());
    yield { message, assertSigned };
  }
}

/** RFC 8310 section 5: an opportunistic client does not authenticate the server. */
export function tlsOf({ tls }: SecondarySettings, { name }: PrimaryServer) {
  if (!tls) return undefined;
  if (tls.profile === "opportunistic") return { pins: [] };
  return { pins: tls.spki_pins, ...(name ? { name } : {}), ...(tls.ca === null ? {} : { ca: tls.ca }) };
}

/** The key of transfers that are signed; `secret` is in base64. */
export function keyOf({ tsig }: SecondarySettings, secret: string): TsigKey | undefined {
  const algorithm = tsig?.enabled ? tsigAlgorithmNamed(tsig.hash) : undefined;
  if (!tsig || !algorithm) return undefined;
  return { name: nameFromApi(tsig.name), algorithm, secret: Buffer.from(secret, "base64") };
}

const newId = () => randomInt(0x10000);
const unixTime = () => Math.floor(Date.now() / 1000);

function signed({ key, isTls }: Server, question: Uint8Array) {
  const message = isTls ? padded(question, key ? signatureOctets(key) : 0) : question;
  if (!key) return { octets: message, verifier: undefined };
  const { octets, mac } = sign(message, key, unixTime());
  return { octets, verifier: new StreamVerifier(key, mac) };
}
