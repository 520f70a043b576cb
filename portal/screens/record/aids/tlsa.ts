/** An aid for TLSA records (RFC 6698): what a certificate is recognized by. */
import { aidTexts as texts } from "../../../text/aids.ts";
import { type Aid, field, octetsOf, textOf } from "./aid.ts";

const usages = ["3 DANE-EE", "2 DANE-TA", "1 PKIX-EE", "0 PKIX-TA"];
const selectors = ["1 SPKI", "0 Cert"];
const matchings = ["1 SHA-256", "2 SHA-512", "0 Full"];

export const tlsa: Aid = {
  ...texts.tlsa,
  listing: {
    certificate: field(texts.tlsa.certificate, { desc: texts.tlsa.certificateHint, type: "textarea", required: true }),
    usage: field(texts.tlsa.usage, { choices: usages, default: usages[0]! }),
    selector: field(texts.tlsa.selector, { choices: selectors, default: selectors[0]! }),
    matching: field(texts.tlsa.matching, { choices: matchings, default: matchings[0]! }),
  },
  async compose(values) {
    const [usage, selector, matching] = ["usage", "selector", "matching"].map((name, at) =>
      Number((textOf(values, name) || [usages, selectors, matchings][at]![0]!)[0]),
    );
    const certificate = octetsOf(textOf(values, "certificate"));
    const part = selector === 1 ? publicKeyOf(certificate) : certificate;
    const association = matching === 0 ? part : await digest(matching === 1 ? "SHA-256" : "SHA-512", part);
    return [usage!, selector!, matching!, hex(association)];
  },
};

async function digest(algorithm: string, octets: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  // browsers leave it out on pages without HTTPS
  if (globalThis.crypto.subtle === undefined) throw new Error(texts.tlsa.insecure);
  return new Uint8Array(await crypto.subtle.digest(algorithm, octets));
}

const hex = (octets: Uint8Array) => [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join("");

/** The SubjectPublicKeyInfo of a certificate in DER (RFC 5280 section 4.1). */
function publicKeyOf(certificate: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { start } = elementAt(certificate, elementAt(certificate, 0).start);
  // an explicit version comes first, and may be left out; then serial number, signature, issuer, validity, subject
  let at = certificate[start] === 0xa0 ? elementAt(certificate, start).end : start;
  for (let skipped = 0; skipped < 5; skipped++) at = elementAt(certificate, at).end;
  return certificate.slice(at, elementAt(certificate, at).end);
}

/** Where the contents of a DER element start, and where it ends. */
function elementAt(octets: Uint8Array, at: number): { readonly start: number; readonly end: number } {
  const first = octets[at + 1] ?? 0;
  const lengthOctets = first < 0x80 ? 0 : first & 0x7f;
  const start = at + 2 + lengthOctets;
  const length = first < 0x80 ? first : octets.slice(at + 2, start).reduce((sum, octet) => sum * 256 + octet, 0);
  if (lengthOctets > 4 || start + length > octets.length) throw new Error(texts.tlsa.noCertificate);
  return { start, end: start + length };
}
