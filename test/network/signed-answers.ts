/** Signs the messages of an answer in the name of a scripted primary. */
import { readSignature } from "../../src/dns/tsig/record.ts";
import { sign, type TsigKey } from "../../src/dns/tsig/tsig.ts";

export const now = () => Math.floor(Date.now() / 1000);

/** The keys that sign the messages of an answer; undefined for an unsigned message. */
type Signing = readonly (TsigKey | undefined)[];

/** Signs each message as the successor of those before it (RFC 8945 section 5.3.1). */
export function signedWith(
  query: Uint8Array,
  messages: readonly Uint8Array[],
  keys: Signing,
  at = now(),
): Uint8Array[] {
  let prior = readSignature(query)!.mac;
  let isFirst = true;
  return messages.map((message, i) => {
    const by = keys[i];
    if (!by) return message;
    const { octets, mac } = sign(message, by, at, prior, isFirst ? "variables" : "timers");
    prior = mac;
    isFirst = false;
    return octets;
  });
}
