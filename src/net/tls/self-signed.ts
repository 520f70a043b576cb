/** Makes a self-signed certificate (RFC 5280) with P-256, for a server that has none. Encodes DER itself. */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";
import { addressOctets } from "../socket/address.ts";
import type { Certificate } from "./tls.ts";

export interface SelfSignedOptions {
  /** The host names and IP addresses of the certificate; the first is its subject. */
  readonly names: readonly string[];
  readonly from: Date;
  readonly to: Date;
}

const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  utf8: 0x0c,
  time: 0x18,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  boolean: 0x01,
} as const;
/** A context-specific tag; elements with a constructed tag contain other elements. */
const context = (number: number, constructed: boolean) => (constructed ? 0xa0 : 0x80) | number;

const oids = {
  commonName: "2.5.4.3",
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  extendedKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
} as const;

export function makeSelfSigned({ names, from, to }: SelfSignedOptions): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(identifier(oids.ecdsaWithSha256));
  const commonName = sequence(identifier(oids.commonName), der(tags.utf8, Buffer.from((names[0] ?? "").slice(0, 64))));
  const name = sequence(der(tags.set, commonName));
  const version3 = der(context(0, true), der(tags.integer, Buffer.of(2)));
  const tbs = sequence(
    version3,
    serialNumber(),
    algorithm,
    name,
    sequence(time(from), time(to)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(context(3, true), sequence(...extensions(names))),
  );
  const certificate = sequence(tbs, algorithm, bits(sign("sha256", tbs, privateKey)));
  return { cert: pem("CERTIFICATE", certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

function extensions(names: readonly string[]): Buffer[] {
  // the certificate is not for a CA, and its key signs handshakes
  const digitalSignature = der(tags.bits, Buffer.of(7, 0x80));
  return [
    extension(oids.basicConstraints, true, sequence()),
    extension(oids.keyUsage, true, digitalSignature),
    extension(oids.extendedKeyUsage, false, sequence(identifier(oids.serverAuth))),
    extension(oids.subjectAltName, false, sequence(...names.map(generalName))),
  ];
}

const extension = (oid: string, critical: boolean, value: Buffer) =>
  sequence(identifier(oid), ...(critical ? [der(tags.boolean, Buffer.of(0xff))] : []), der(tags.octets, value));

/** RFC 5280 section 4.2.1.6: dNSName and iPAddress. */
const generalName = (name: string) =>
  isIP(name) === 0 ? der(context(2, false), Buffer.from(name)) : der(context(7, false), addressOctets(name));

/** Makes a serial number: positive, at most 20 octets, and unique. */
function serialNumber(): Buffer {
  const octets = randomBytes(16);
  octets[0] = (octets[0]! & 0x7f) | 0x40;
  return der(tags.integer, octets);
}

/** RFC 5280 section 4.1.2.5: years until 2049 have two digits. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]|\.\d+/g, "");
  const short = at.getUTCFullYear() < 2050;
  return der(short ? tags.utcTime : tags.time, Buffer.from(short ? digits.slice(2) : digits));
}

function identifier(oid: string): Buffer {
  const [first = 0, second = 0, ...rest] = oid.split(".").map(Number);
  return der(tags.identifier, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const octets = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) octets.unshift((left & 0x7f) | 0x80);
  return octets;
}

const bits = (octets: Uint8Array) => der(tags.bits, Buffer.concat([Buffer.of(0), octets]));

const sequence = (...parts: readonly Uint8Array[]) => der(tags.sequence, Buffer.concat(parts));

function der(tag: number, content: Uint8Array): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function pem(label: string, octets: Buffer): string {
  const lines = octets.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
