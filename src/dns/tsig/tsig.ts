/** Transaction signatures (RFC 8945): signs and verifies messages. The time is an argument. */
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

/** The fudge of our signatures, and the most that is allowed to a received fudge, in seconds (RFC 8945 section 10). */
const mostFudge = 300;

/** BADSIG, a TSIG error; as an RCODE of EDNS the number is BADVERS. */
export const badSignature = 16;

/** The minimum octets of a MAC (RFC 8945 section 5.2.2.1). */
const shortestMac = 10;

const none = new Uint8Array(0);

/** The MAC digested before a message: for a reply the query's, in a stream the previous message's. */
export type Prior = Uint8Array | undefined;

/** The signed fields of the TSIG record. */
type Extent = "variables" | "timers";

export interface Signed {
  readonly octets: Uint8Array;
  readonly mac: Uint8Array;
}

/** The number of octets that a signature with this key adds to a message. */
export function signatureOctets({ name, algorithm }: TsigKey): number {
  const { name: algorithmName, octets } = tsigAlgorithms[algorithm];
  return octetsOf(name, algorithmName, octets);
}

/** Adds a signature as the last record of a message. In a reply, `prior` is the MAC of the query. */
export function sign(message: Uint8Array, key: TsigKey, now: number, prior?: Prior, extent?: Extent): Signed {
  const fields = fieldsFor(message, key, now);
  const mac = macOf(message, key, fields, prior, extent);
  return { octets: signedMessage(message, composeSignature({ ...fields, mac })), mac };
}

/**
 * The TSIG record that reports an error in a client's signature. It signs the reply, except for BADKEY and BADSIG
 * (RFC 8945 section 5.3.2).
 */
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
 * Verifies a signature. Returns NOERROR, BADSIG, BADTIME, BADTRUNC, or FORMERR for a MAC of an invalid length. `since`
 * are the unsigned messages before this message in a stream.
 */
export function verify(
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

/** Whether a signature has this key's name and algorithm. */
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
