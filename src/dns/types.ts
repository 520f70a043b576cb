/** THE table of record types: one line each. Wire, presentation and API form all follow from the fields. */
import { invalid, Problem } from "../lib/problem.ts";
import { ipv4, ipv6 } from "./rdata/addresses.ts";
import { addressPrefixes } from "./rdata/apl.ts";
import { base64, base64OrDash, digest, hex, ipsecKey, nsapAddress, optionalKey } from "./rdata/binary.ts";
import { typeBitmap, typeMnemonic } from "./rdata/bitmap.ts";
import {
  checkCount,
  composeFields,
  FieldError,
  fixedFields,
  inField,
  type Layout,
  parseFields,
} from "./rdata/fields.ts";
import { gateway } from "./rdata/gateway.ts";
import { eui48, eui64, locator64 } from "./rdata/groups.ts";
import { hostIdentity } from "./rdata/host-identity.ts";
import { type ApiPart, apiText, type FieldKind } from "./rdata/kind.ts";
import { location } from "./rdata/location.ts";
import { compressedName, name } from "./rdata/names.ts";
import {
  algorithm,
  certificateAlgorithm,
  certificateType,
  gatewayType,
  notifyScheme,
  seconds,
  u8,
  u16,
  u32,
} from "./rdata/numbers.ts";
import { isGeneric, opaque, printGeneric, scanGeneric } from "./rdata/opaque.ts";
import { choice, path, target } from "./rdata/redirect.ts";
import { relay } from "./rdata/relay.ts";
import { substitution } from "./rdata/substitution.ts";
import { serviceParams } from "./rdata/svcb.ts";
import {
  characterString,
  characterStrings,
  decimal,
  degrees,
  filledText,
  networkNumber,
  optionalString,
  propertyTag,
  remainingText,
} from "./rdata/text.ts";
import { PrivateTypeCode, TypeCode } from "./wire/constants.ts";
import { type Name, root } from "./wire/name.ts";
import { show, type Tokens, tokenize } from "./wire/presentation.ts";
import { joined, Reader, WireError } from "./wire/wire.ts";

export interface RecordType extends Layout {
  readonly code: number;
  /** What a client of DNS sees: the record itself, the addresses that its target has, or a redirect service's address. */
  readonly served: "as-is" | "as-address" | "redirect";
  /** Whether names in the RDATA may be compressed. */
  readonly compress: boolean;
  /** Whether clients of the API may write such records; false for what the service makes and for types of queries. */
  readonly writable: boolean;
}

type Row = Omit<RecordType, "name">;
type Kinds = Readonly<Record<string, FieldKind>>;

function row(code: number, kinds: Kinds, traits: Partial<Pick<Row, "served" | "writable">> = {}): Row {
  const fields = Object.entries(kinds).map(([name, kind]) => ({ name, kind }));
  const compress = fields.some((field) => field.kind.compress);
  return { code, fields, served: "as-is", compress, writable: true, ...traits };
}

const keyDigest = digest({ 1: 20, 2: 32, 4: 48 });
const fingerprint = digest({ 1: 20, 2: 32 });
const signer: Kinds = { key_tag: u16, algorithm, digest_type: u8, digest: keyDigest };
const key: Kinds = { flags: u16, protocol: u8, algorithm, key: base64 };
const strings: Kinds = { text: characterStrings };
const host: Kinds = { host: compressedName };
const matching: Kinds = { usage: u8, selector: u8, matching_type: u8, data: digest({ 1: 32, 2: 64 }) };
const service: Kinds = { priority: u16, target: name, params: serviceParams };
const [redirectCode, masking, query] = [choice(2, [301, 302]), choice(1, [0, 1, 2]), choice(1, [0, 1])];

const rows = {
  A: row(TypeCode.A, { address: ipv4 }),
  AAAA: row(TypeCode.AAAA, { address: ipv6 }),
  AFSDB: row(TypeCode.AFSDB, { subtype: u16, hostname: name }),
  ALIAS: row(PrivateTypeCode.ALIAS, { target: name }, { served: "as-address" }),
  AMTRELAY: row(TypeCode.AMTRELAY, { precedence: u8, relay }),
  APL: row(TypeCode.APL, { prefixes: addressPrefixes }),
  AVC: row(TypeCode.AVC, strings),
  CAA: row(TypeCode.CAA, { flags: u8, tag: propertyTag, value: remainingText }),
  CDNSKEY: row(TypeCode.CDNSKEY, key, { writable: false }),
  CDS: row(TypeCode.CDS, { ...signer, digest: digest({ 0: 1, 1: 20, 2: 32, 4: 48 }) }, { writable: false }),
  CERT: row(TypeCode.CERT, {
    type: certificateType,
    key_tag: u16,
    algorithm: certificateAlgorithm,
    certificate: base64,
  }),
  CNAME: row(TypeCode.CNAME, { target: compressedName }),
  CSYNC: row(TypeCode.CSYNC, { serial: u32, flags: u16, types: typeBitmap }),
  DHCID: row(TypeCode.DHCID, { digest: base64 }),
  DNAME: row(TypeCode.DNAME, { target: name }),
  DLV: row(TypeCode.DLV, signer),
  DNSKEY: row(TypeCode.DNSKEY, key, { writable: false }),
  DOA: row(TypeCode.DOA, {
    enterprise: u32,
    type: u32,
    location: u8,
    media_type: characterString,
    data: base64OrDash,
  }),
  DS: row(TypeCode.DS, signer),
  DSYNC: row(TypeCode.DSYNC, { type: typeMnemonic, scheme: notifyScheme, port: u16, target: name }),
  EID: row(TypeCode.EID, { identifier: hex }),
  EUI48: row(TypeCode.EUI48, { address: eui48 }),
  EUI64: row(TypeCode.EUI64, { address: eui64 }),
  GPOS: row(TypeCode.GPOS, { longitude: degrees, latitude: degrees, altitude: decimal }),
  HINFO: row(TypeCode.HINFO, { cpu: characterString, os: characterString }),
  HIP: row(TypeCode.HIP, { identity: hostIdentity }),
  HTTPS: row(TypeCode.HTTPS, service),
  IPSECKEY: row(TypeCode.IPSECKEY, {
    precedence: u8,
    gateway_type: gatewayType,
    algorithm: u8,
    gateway,
    key: ipsecKey,
  }),
  ISDN: row(TypeCode.ISDN, { address: characterString, subaddress: optionalString }),
  KEY: row(TypeCode.KEY, { ...key, key: optionalKey }),
  KX: row(TypeCode.KX, { preference: u16, exchanger: name }),
  L32: row(TypeCode.L32, { preference: u16, locator: ipv4 }),
  L64: row(TypeCode.L64, { preference: u16, locator: locator64 }),
  LOC: row(TypeCode.LOC, { location }),
  LP: row(TypeCode.LP, { preference: u16, target: name }),
  MB: row(TypeCode.MB, host),
  MG: row(TypeCode.MG, host),
  MINFO: row(TypeCode.MINFO, { rmailbx: compressedName, emailbx: compressedName }),
  MR: row(TypeCode.MR, host),
  MX: row(TypeCode.MX, { preference: u16, exchange: compressedName }),
  NAPTR: row(TypeCode.NAPTR, {
    order: u16,
    preference: u16,
    flags: characterString,
    services: characterString,
    regexp: substitution,
    replacement: name,
  }),
  NID: row(TypeCode.NID, { preference: u16, node: locator64 }),
  NIMLOC: row(TypeCode.NIMLOC, { locator: hex }),
  NINFO: row(TypeCode.NINFO, strings),
  NS: row(TypeCode.NS, { nsdname: compressedName }),
  NSAP: row(TypeCode.NSAP, { address: nsapAddress }),
  "NSAP-PTR": row(TypeCode["NSAP-PTR"], { owner: name }),
  OPENPGPKEY: row(TypeCode.OPENPGPKEY, { key: base64 }),
  PTR: row(TypeCode.PTR, { ptrdname: compressedName }),
  PX: row(TypeCode.PX, { preference: u16, map822: name, mapx400: name }),
  REDIRECT: row(PrivateTypeCode.REDIRECT, { redirect: characterString }, { served: "redirect", writable: false }),
  RESINFO: row(TypeCode.RESINFO, strings),
  RKEY: row(TypeCode.RKEY, key),
  RP: row(TypeCode.RP, { mbox: name, txt: name }),
  RT: row(TypeCode.RT, { preference: u16, host: name }),
  SMIMEA: row(TypeCode.SMIMEA, matching),
  SOA: row(
    TypeCode.SOA,
    {
      mname: compressedName,
      rname: compressedName,
      serial: u32,
      refresh: seconds,
      retry: seconds,
      expire: seconds,
      minimum: seconds,
    },
    { writable: false },
  ),
  SPF: row(TypeCode.SPF, strings),
  SRV: row(TypeCode.SRV, { priority: u16, weight: u16, port: u16, target: name }),
  SSHFP: row(TypeCode.SSHFP, { algorithm: u8, type: u8, fingerprint }),
  SVCB: row(TypeCode.SVCB, service),
  TA: row(TypeCode.TA, signer),
  TALINK: row(TypeCode.TALINK, { previous: name, next: name }),
  TLSA: row(TypeCode.TLSA, matching),
  TXT: row(TypeCode.TXT, strings),
  URI: row(TypeCode.URI, { priority: u16, weight: u16, target: filledText }),
  URLFWD: row(PrivateTypeCode.URLFWD, { path, target, code: redirectCode, masking, query }, { served: "redirect" }),
  WALLET: row(TypeCode.WALLET, strings),
  X25: row(TypeCode.X25, { address: networkNumber }),
  ZONEMD: row(
    TypeCode.ZONEMD,
    { serial: u32, scheme: u8, algorithm: u8, digest: digest({ 1: 48, 2: 64 }, 12) },
    { writable: false },
  ),
};

type Mnemonic = keyof typeof rows;

/** By mnemonic. */
export const types = Object.fromEntries(
  Object.entries(rows).map(([name, traits]) => [name, { name, ...traits }]),
) as Readonly<Record<Mnemonic, RecordType>>;

const byName = new Map<string, RecordType>(Object.entries(types));
const byCode = new Map(Object.values(types).map((type) => [type.code, type]));

/** The type that a mnemonic in any case or TYPEnnn means; TYPE1 is A. */
export function typeNamed(text: string): RecordType | undefined {
  const known = byName.get(text);
  if (known) return known;
  const code = /^TYPE(0|[1-9]\d{0,4})$/i.exec(text)?.[1];
  if (code !== undefined) return Number(code) <= 0xffff ? typeCoded(Number(code)) : undefined;
  return byName.get(text.toUpperCase());
}

/** What a type is called here, also one that was written as TYPEnnn before it had a name; what is no type, as it is. */
export const typeName = (text: string): string => typeNamed(text)?.name ?? text;

/** A type of the table, or one whose RDATA are opaque (RFC 3597). */
export function typeCoded(code: number): RecordType {
  const unknown = () => ({ name: `TYPE${code}`, ...row(code, { rdata: opaque }, { writable: !isReserved(code) }) });
  return byCode.get(code) ?? unknown();
}

const signing = new Set<number>([TypeCode.OPT, TypeCode.RRSIG, TypeCode.NSEC, TypeCode.NSEC3, TypeCode.NSEC3PARAM]);

/** Types of queries and messages (RFC 6895 section 3.1), and those that only a signer makes. */
const isReserved = (code: number) => code === 0 || code === 0xffff || (code >= 128 && code <= 255) || signing.has(code);

/** RDATA from an API answer: its fields, or one string in presentation format. A Problem names the type and the field. */
export function rdataFromApi(type: RecordType, answer: readonly unknown[]): Uint8Array {
  try {
    const [first] = answer;
    if (typeof first === "string" && isGeneric(first)) return fromGeneric(type, () => answer.map(apiText));
    // lexicon sends "10 mail.example.com." as the only part of an MX answer
    if (typeof first === "string" && answer.length === 1 && /\s/.test(first) && fixedFields(type) > 1) {
      return inField(type, "answer", () => scanRdata(type, first));
    }
    checkCount(type, answer.length);
    return composeFields(type, (kind, before) => {
      const values = answer.slice(before.length);
      return kind.fromApi(kind.takes === "rest" ? values : values.slice(0, 1), before);
    });
  } catch (error) {
    if (error instanceof FieldError) throw invalid(error.message, { type: type.name, field: error.field });
    throw error;
  }
}

/** The answer that `rdataFromApi` makes the same RDATA of: by fields, or generic when text cannot say it. */
export function rdataToApi(type: RecordType, rdata: Uint8Array): ApiPart[] {
  try {
    const answer = parseFields(type, new Reader(rdata)).flatMap((field, i, fields) =>
      type.fields[i]!.kind.toApi(field, fields),
    );
    if (type.fields.every(({ kind }) => kind.isExact)) return answer;
    if (answer.every(isStorable) && isSame(rdataFromApi(type, answer), rdata)) return answer;
  } catch (error) {
    if (!(error instanceof WireError || error instanceof Problem)) throw error;
  }
  return [printGeneric(rdata)];
}

/** Neither the API nor its store takes NUL characters. */
const isStorable = (part: ApiPart) => typeof part === "number" || !part.includes("\0");

/** An answer in one line, for summaries: its parts divided by one blank, without quotes. */
export const shortAnswer = (answer: readonly unknown[]): string => answer.join(" ");

/** The RDATA that fill a reader, without compression. */
export function parseRdata(type: RecordType, reader: Reader): Uint8Array {
  return joined(parseFields(type, reader));
}

/** RDATA from presentation format, with or without its own fields (`\# length hex`). */
export function scanRdata(type: RecordType, text: string | Tokens, origin: Name = root): Uint8Array {
  const tokens = typeof text === "string" ? tokenize(text) : text;
  const first = tokens.peek();
  if (first && !first.quoted && isGeneric(first.text)) {
    return fromGeneric(type, () => tokens.rest().map((token) => token.text));
  }
  const rdata = composeFields(type, (kind, before) => kind.scan(tokens, origin, before));
  if (tokens.left > 0) throw new FieldError(type, "rdata", `has ${show(tokens.next().text)} after its last field`);
  return rdata;
}

/** Presentation format, in the spelling of dig with +nosplit. */
export function printRdata(type: RecordType, rdata: Uint8Array): string {
  return parseFields(type, new Reader(rdata))
    .map((field, i, fields) => type.fields[i]!.kind.print(field, fields))
    .filter((text) => text !== "")
    .join(" ");
}

/** Throws FieldError for RDATA that a message may carry and nobody should write. */
export function assertSound(type: RecordType, rdata: Uint8Array): void {
  if (!type.fields.some(({ kind }) => kind.assertSound)) return;
  for (const [i, field] of parseFields(type, new Reader(rdata)).entries()) {
    const { name, kind } = type.fields[i]!;
    inField(type, name, () => kind.assertSound?.(field));
  }
}

/** Where in the RDATA the names begin that may be compressed. */
export function compressible(type: RecordType, rdata: Uint8Array): number[] {
  if (!type.compress) return [];
  let at = 0;
  return parseFields(type, new Reader(rdata)).flatMap((field, i) => {
    const start = at;
    at += field.length;
    return type.fields[i]!.kind.compress ? [start] : [];
  });
}

function fromGeneric(type: RecordType, words: () => readonly string[]): Uint8Array {
  return inField(type, "rdata", () => {
    const rdata = scanGeneric(words().join(" "));
    // RFC 3597 section 5: names in this form are not compressed either
    if (isSame(parseRdata(type, new Reader(rdata)), rdata)) return rdata;
    throw new WireError("has a compressed name");
  });
}

const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
