/** Transaction signatures (RFC 8945): signing messages, and judging signed ones. The time is an argument. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { Rcode } from "../wire/constants.ts";
import { compareNames, type Name } from "../wire/name.ts";
import { type TsigAlgorithm, tsigAlgorithms } from "./algorithms.ts";
import {
  composeSignature,
  octetsOf,
  type Signature,
  signedMessage,
  type TsigFields,
  timeOctets,
  timersOf,
  unsignedMessage,
  variablesOf,
} from "./record.ts";

export interface TsigKey {
  /** Lower case. */
  readonly name: Name;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Uint8Array;
}

/** Seconds: what we grant, and the most that we let a peer grant itself (RFC 8945 section 10). */
const mostFudge = 300;

/** BADSIG, a TSIG error; as an RCODE of EDNS the number is BADVERS. */
export const badSignature = 16;

/** RFC 8945 section 5.2.2.1: a shorter MAC is no MAC. */
const shortestMac = 10;

const none = new Uint8Array(0);

/** What goes before the message into the digest of a reply, or of the next message of a stream. */
export type Prior = Uint8Array | undefined;

/** How much of the record is signed. */
type Extent = "variables" | "timers";

export interface Signed {
  readonly octets: Uint8Array;
  readonly mac: Uint8Array;
}

/** How many octets a signature with this key adds to a message. */
export function signatureOctets({ name, algorithm }: TsigKey): number {
  const { name: algorithmName, octets } = tsigAlgorithms[algorithm];
  return octetsOf(name, algorithmName, octets);
}

/** The message with a signature of its own as its last record. `prior` is the MAC of the query for a reply. */
export function sign(message: Uint8Array, key: TsigKey, now: number, prior?: Prior, extent?: Extent): Signed {
  const fields = fieldsFor(message, key, now);
  const mac = macOf(message, key, fields, prior, extent);
  return { octets: signedMessage(message, composeSignature({ ...fields, mac })), mac };
}

/** The record that tells a client what is wrong with its signature, and signs the reply where the key is known (RFC 8945 section 5.3.2). */
export function signRefusal(
  reply: Uint8Array,
  asked: Signature,
  error: number,
  key: TsigKey | undefined,
  now: number,
): Uint8Array {
  const { name, algorithm, time, originalId } = asked;
  const other = error === Rcode.BADTIME ? timeOctets(now) : none;
  const fields = { name, algorithm, time, fudge: mostFudge, mac: none, originalId, error, other };
  const isSigned = key && error !== Rcode.BADKEY && error !== badSignature;
  return composeSignature(isSigned ? { ...fields, mac: macOf(reply, key, fields, asked.mac) } : fields);
}

/**
 * What is wrong with a signature: NOERROR, BADSIG, BADTIME, BADTRUNC, or FORMERR for a MAC that can be none. `since` are
 * the unsigned messages before this one in a stream.
 */
export function judge(
  message: Uint8Array,
  signature: Signature,
  key: TsigKey,
  now: number,
  prior?: Prior,
  extent?: Extent,
  since: readonly Uint8Array[] = [],
): number {
  const { mac, time, fudge } = signature;
  const { octets } = tsigAlgorithms[key.algorithm];
  if (mac.length > octets || mac.length < Math.max(shortestMac, octets / 2)) return Rcode.FORMERR;
  const expected = macOf(unsignedMessage(message, signature), key, signature, prior, extent, since);
  if (!timingSafeEqual(expected.subarray(0, mac.length), mac)) return badSignature;
  if (Math.abs(now - time) > Math.min(fudge, mostFudge)) return Rcode.BADTIME;
  return mac.length < octets ? Rcode.BADTRUNC : Rcode.NOERROR;
}

/** Whether a signature says that it was made with this key. */
export const isOfKey = ({ name, algorithm }: TsigFields, key: TsigKey) =>
  compareNames(name, key.name) === 0 && compareNames(algorithm, tsigAlgorithms[key.algorithm].name) === 0;

function fieldsFor(message: Uint8Array, { name, algorithm }: TsigKey, time: number): TsigFields {
  const originalId = (message[0]! << 8) | message[1]!;
  const { name: algorithmName } = tsigAlgorithms[algorithm];
  return { name, algorithm: algorithmName, time, fudge: mostFudge, mac: none, originalId, error: 0, other: none };
}

/** `message` is without its TSIG record. */
function macOf(
  message: Uint8Array,
  { algorithm, secret }: TsigKey,
  fields: TsigFields,
  prior: Prior,
  extent: Extent = "variables",
  since: readonly Uint8Array[] = [],
): Uint8Array {
  const hmac = createHmac(tsigAlgorithms[algorithm].hash, secret);
  if (prior) hmac.update(Uint8Array.of(prior.length >>> 8, prior.length)).update(prior);
  for (const unsigned of since) hmac.update(unsigned);
  hmac.update(message);
  return new Uint8Array(hmac.update(extent === "variables" ? variablesOf(fields) : timersOf(fields)).digest());
}
