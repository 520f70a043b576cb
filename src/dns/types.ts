/** The table of record types, one row each. The fields determine wire, presentation and API form (rdata/codec.ts). */
import { ipv4, ipv6 } from "./rdata/addresses.ts";
import { addressPrefixes } from "./rdata/apl.ts";
import { base64, base64OrDash, digest, hex, ipsecKey, nsapAddress, optionalKey } from "./rdata/binary.ts";
import { typeBitmap, typeMnemonic } from "./rdata/bitmap.ts";
import { gateway } from "./rdata/gateway.ts";
import { eui48, eui64, locator64 } from "./rdata/groups.ts";
import { hostIdentity } from "./rdata/host-identity.ts";
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
import { type Kinds, type RecordType, row } from "./rdata/record-type.ts";
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

/** Record types by mnemonic. */
export const types = Object.fromEntries(
  Object.entries(rows).map(([name, traits]) => [name, { name, ...traits }]),
) as Readonly<Record<Mnemonic, RecordType>>;
