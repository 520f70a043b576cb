/** Signatures of an answer in several messages (RFC 8945 section 5.3.1): each covers the previous MAC. */
import { Rcode, rcodeName } from "../wire/constants.ts";
import { WireError } from "../wire/wire.ts";
import { readSignature } from "./record.ts";
import { badSignature, isOfKey, type Prior, sign, type TsigKey, verify } from "./tsig.ts";

/** Signs every message of an answer. */
export class StreamSigner {
  readonly #key: TsigKey;
  #prior: Prior;
  #isFirst = true;

  /** `mac` is the MAC of the query. */
  constructor(key: TsigKey, mac: Uint8Array) {
    this.#key = key;
    this.#prior = mac;
  }

  sign(message: Uint8Array, now: number): Uint8Array {
    const { octets, mac } = sign(message, this.#key, now, this.#prior, this.#isFirst ? "variables" : "timers");
    this.#prior = mac;
    this.#isFirst = false;
    return octets;
  }
}

/** RFC 8945 section 5.3.1: at least every hundredth message is signed. */
const mostUnsigned = 99;

/** Verifies the messages of an answer, one after another. */
export class StreamVerifier {
  readonly #key: TsigKey;
  #prior: Prior;
  #isFirst = true;
  #unsigned: Uint8Array[] = [];

  /** `mac` is the MAC of the query. */
  constructor(key: TsigKey, mac: Uint8Array) {
    this.#key = key;
    this.#prior = mac;
  }

  /** Whether the last message was signed: only then may the answer end. */
  get isSettled(): boolean {
    return !this.#isFirst && this.#unsigned.length === 0;
  }

  /** Throws a WireError when the message's signature is invalid, or is missing where required. */
  take(message: Uint8Array, now: number): void {
    const signature = readSignature(message);
    if (!signature) {
      if (this.#isFirst) throw new WireError("is not signed");
      if (this.#unsigned.length === mostUnsigned)
        throw new WireError(`sent more than ${mostUnsigned} unsigned messages in a row`);
      this.#unsigned.push(new Uint8Array(message));
      return;
    }
    if (signature.error !== 0) throw new WireError(`reports ${tsigErrorName(signature.error)} for our signature`);
    if (!isOfKey(signature, this.#key)) throw new WireError("is signed with another key (BADKEY)");
    const extent = this.#isFirst ? "variables" : "timers";
    const error = verify(message, signature, this.#key, now, this.#prior, extent, this.#unsigned);
    if (error !== Rcode.NOERROR) throw new WireError(`has an invalid signature (${tsigErrorName(error)})`);
    this.#prior = signature.mac;
    this.#isFirst = false;
    this.#unsigned = [];
  }
}

const tsigErrorName = (error: number) => (error === badSignature ? "BADSIG" : rcodeName(error));
