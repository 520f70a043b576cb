/** The algorithms for signing messages (RFC 8945 section 6), by their names in the API. */
import { type Name, scanName } from "../wire/name.ts";

interface Algorithm {
  /** The runtime's name of the hash. */
  readonly hash: string;
  /** Octets of a MAC that is not truncated. */
  readonly octets: number;
  /** Lower case. */
  readonly name: Name;
}

const algorithm = (hash: string, octets: number, name: string): Algorithm => ({ hash, octets, name: scanName(name) });

export const tsigAlgorithms = {
  "hmac-md5": algorithm("md5", 16, "hmac-md5.sig-alg.reg.int."),
  "hmac-sha1": algorithm("sha1", 20, "hmac-sha1."),
  "hmac-sha224": algorithm("sha224", 28, "hmac-sha224."),
  "hmac-sha256": algorithm("sha256", 32, "hmac-sha256."),
  "hmac-sha384": algorithm("sha384", 48, "hmac-sha384."),
  "hmac-sha512": algorithm("sha512", 64, "hmac-sha512."),
} as const satisfies Readonly<Record<string, Algorithm>>;

export type TsigAlgorithm = keyof typeof tsigAlgorithms;

/** The algorithm that a name in presentation format means, in any case, with or without its last dot. */
export function tsigAlgorithmNamed(text: string): TsigAlgorithm | undefined {
  const bare = text
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/^hmac-md5\.sig-alg\.reg\.int$/, "hmac-md5");
  return isAlgorithm(bare) ? bare : undefined;
}

const isAlgorithm = (text: string): text is TsigAlgorithm => Object.hasOwn(tsigAlgorithms, text);
