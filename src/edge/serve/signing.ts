/** Signed queries (RFC 8945 section 5.2): the key, the error if there is one, and the signature of the reply. */

import { countAdditional, readSignature, type Signature } from "../../dns/tsig/record.ts";
import { badSignature, sign, signRefusal, verify } from "../../dns/tsig/tsig.ts";
import { Rcode } from "../../dns/wire/constants.ts";
import { headerOctets, type Query } from "../../dns/wire/message.ts";
import { lowerName, nameToApi } from "../../dns/wire/name.ts";
import type { Opt } from "../../dns/wire/opt.ts";
import { WireError } from "../../dns/wire/wire.ts";
import type { KnownKey, PeerBook } from "./peer-book.ts";

export interface JudgedSignature {
  readonly signature: Signature;
  /** The key that made the signature; after an error a key of the same name, if there is one. */
  readonly key: KnownKey | undefined;
  /** TSIG error, or NOERROR. */
  readonly error: number;
}

/** The share of a worker's time for signatures before other queries come first; milliseconds of it that are saved up. */
export const signatureTime = { share: 1 / 8, most: 12 } as const;

/** Maximum octets of a signature's parts, except its key's name, for every algorithm that we sign with. */
const most = { algorithm: 26, mac: 64, fixed: 26, time: 6 };

/** Octets that a reply keeps free for its own signature. */
const signatureRoom = ({ signature: { name } }: JudgedSignature) =>
  name.length + most.algorithm + most.mac + most.fixed + most.time;

/** Octets of `size` without the signature, but enough for header, question and OPT. */
export const sizeToSign = (judged: JudgedSignature, { start, questionEnd }: Query, opt: Opt, size: number) =>
  Math.max(size - signatureRoom(judged), questionEnd - start + opt.size());

/**
 * Verifies the signature of a query with a question; undefined when it is malformed, so that the reply is not signed.
 * An algorithm name longer than `most.algorithm` is malformed too, because the reply would repeat it.
 */
export function judgeQuery(book: PeerBook, query: Query, to: number, now: number): JudgedSignature | undefined {
  const message = query.packet.subarray(query.start, to);
  try {
    const signature = readSignature(message);
    if (!signature || signature.algorithm.length > most.algorithm) return undefined;
    const keys = book.candidates(signature, zoneOf(query));
    if (keys.length === 0) return { signature, key: undefined, error: Rcode.BADKEY };
    let worst = { signature, key: keys[0], error: badSignature };
    for (const key of keys) {
      const error = verify(message, signature, key, now);
      if (error === Rcode.FORMERR) return undefined;
      if (error === Rcode.NOERROR) return { signature, key, error };
      if (error !== badSignature) worst = { signature, key, error };
    }
    return worst;
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

/** The question's name in the API's spelling. */
export const zoneOf = ({ packet, start, questionEnd }: Query) =>
  nameToApi(lowerName(packet.slice(start + headerOctets, questionEnd - 4)));

/** Signs the reply of `length` octets at `at`; returns its length with the signature. */
export function signReply(judged: JudgedSignature, out: Uint8Array, at: number, length: number, now: number): number {
  const { signature, key, error } = judged;
  const reply = out.subarray(at, at + length);
  if (error === Rcode.NOERROR && key) {
    const { octets } = sign(reply, key, now, signature.mac);
    out.set(octets, at);
    return octets.length;
  }
  const record = signRefusal(reply, signature, error, key, now);
  out.set(record, at + length);
  countAdditional(out, at, 1);
  return length + record.length;
}
