/** Generated API answers of every record type, from one generator for each kind of field. */
import fc from "fast-check";
import { ipv4, ipv6 } from "../../src/dns/rdata/addresses.ts";
import { addressPrefixes } from "../../src/dns/rdata/apl.ts";
import { base64, base64OrDash, hex, ipsecKey, nsapAddress, optionalKey } from "../../src/dns/rdata/binary.ts";
import { typeBitmap, typeMnemonic } from "../../src/dns/rdata/bitmap.ts";
import { gateway } from "../../src/dns/rdata/gateway.ts";
import { eui48, eui64, locator64 } from "../../src/dns/rdata/groups.ts";
import { hostIdentity } from "../../src/dns/rdata/host-identity.ts";
import type { ApiPart, FieldKind } from "../../src/dns/rdata/kind.ts";
import { location } from "../../src/dns/rdata/location.ts";
import { compressedName, name } from "../../src/dns/rdata/names.ts";
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
} from "../../src/dns/rdata/numbers.ts";
import { opaque } from "../../src/dns/rdata/opaque.ts";
import type { RecordType } from "../../src/dns/rdata/record-type.ts";
import { path, target } from "../../src/dns/rdata/redirect.ts";
import { relay } from "../../src/dns/rdata/relay.ts";
import { substitution } from "../../src/dns/rdata/substitution.ts";
import { serviceParams } from "../../src/dns/rdata/svcb.ts";
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
} from "../../src/dns/rdata/text.ts";
import { types } from "../../src/dns/types.ts";
import { printName } from "../../src/dns/wire/name.ts";
import { joined } from "../../src/dns/wire/wire.ts";
import { anyCharacter } from "../runs.ts";

type Parts = readonly ApiPart[];
/** The possible values of a field, given the fields before it. */
type Generator = (before: Parts) => fc.Arbitrary<Parts>;

/** An answer that `rdataFromApi` accepts. */
export function answerOf(type: RecordType): fc.Arbitrary<Parts> {
  return type.fields.reduce<fc.Arbitrary<Parts>>(
    (answers, { kind }) => answers.chain((before) => generatorOf(kind)(before).map((parts) => [...before, ...parts])),
    fc.constant([]),
  );
}

const one =
  (arbitrary: fc.Arbitrary<ApiPart>): Generator =>
  () =>
    arbitrary.map((part) => [part]);

const oneOf = (values: readonly ApiPart[]) => one(fc.constantFrom(...values));

/** A whole number, as a number or as text. */
const integer = (highest: number) =>
  fc.integer({ min: 0, max: highest }).chain((value) => fc.constantFrom<ApiPart>(value, String(value)));

const octets = (minLength: number, maxLength: number) => fc.uint8Array({ minLength, maxLength });
const hexText = (length: number) => octets(length, length).map((value) => Buffer.from(value).toString("hex"));
const base64Text = octets(1, 80).map((value) => Buffer.from(value).toString("base64"));

/** Names in wire format, whose labels may have any octets. */
export const wireName = fc.array(octets(1, 63), { maxLength: 5 }).map((labels) => {
  const fitting = labels.filter(
    (_, i) => labels.slice(0, i + 1).reduce((sum, label) => sum + label.length + 1, 1) <= 255,
  );
  return joined([...fitting.flatMap((label) => [Uint8Array.of(label.length), label]), Uint8Array.of(0)]);
});
const nameText = fc
  .tuple(wireName.map(printName), fc.boolean())
  .map(([text, dot]) => (dot || text === "." ? text : text.slice(0, -1)));

const ipv6Text = fc.oneof(
  fc.ipV6().filter((text) => !text.includes("%")),
  octets(16, 16).map((value) =>
    Buffer.from(value)
      .toString("hex")
      .replace(/(?<=^(?:.{4})+)/g, ":")
      .slice(0, -1),
  ),
);

const text = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.oneof(anyCharacter, fc.constantFrom(...'"\\;() ü=,')),
    minLength,
    maxLength: maxLength / 4,
  });

const decimalText = (highest: number) =>
  fc.tuple(fc.integer({ min: 1 - highest, max: highest - 1 }), fc.nat(99)).map(([whole, part]) => `${whole}.${part}`);

const typeText = fc.oneof(
  fc.constantFrom("A", "ns", "TYPE1234", "CAA", "LOC"),
  fc.integer({ min: 1, max: 65535 }).map((code) => `TYPE${code}`),
);
const typeList = fc.array(typeText);

const pairs = (count: number) => hexText(count).map((digits) => digits.match(/../g)!.join("-"));
const locatorText = fc
  .array(fc.nat(65535), { minLength: 4, maxLength: 4 })
  .map((groups) => groups.map((group) => group.toString(16)).join(":"));

const metres = (highest: number) => fc.tuple(fc.nat(highest), fc.nat(99)).map(([whole, part]) => `${whole}.${part}m`);
const angle = (most: number, sides: string) =>
  fc
    .tuple(fc.nat(most - 1), fc.nat(59), fc.nat(59999), fc.constantFrom(...sides))
    .map(([degrees, minutes, thousandths, side]) => `${degrees} ${minutes} ${thousandths / 1000} ${side}`);
const place = fc
  .tuple(angle(90, "NSs"), angle(180, "EWe"), metres(42849671), fc.array(metres(89999999), { maxLength: 3 }))
  .map(([latitude, longitude, altitude, sizes]) => [latitude, longitude, altitude, ...sizes].join(" "));

const identity = fc
  .tuple(
    fc.nat(255),
    fc.integer({ min: 1, max: 255 }).chain(hexText),
    octets(1, 80),
    fc.array(wireName, { maxLength: 3 }),
  )
  .map(([algorithm, tag, key, servers]) => [
    algorithm,
    tag,
    Buffer.from(key).toString("base64"),
    ...servers.map(printName),
  ]);

const prefixes = fc.array(
  fc.oneof(
    fc
      .tuple(fc.constantFrom("", "!"), fc.ipV4(), fc.nat(32))
      .map(([flag, address, bits]) => `${flag}1:${address}/${bits}`),
    fc
      .tuple(fc.constantFrom("", "!"), ipv6Text, fc.nat(128))
      .map(([flag, address, bits]) => `${flag}2:${address}/${bits}`),
  ),
);

const escaped = (value: Uint8Array) => [...value].map((octet) => `\\${String(octet).padStart(3, "0")}`).join("");

const params = fc
  .record(
    {
      alpn: fc
        .array(fc.constantFrom("h2", "h3", "http/1.1", "a\\\\,b", "c\\\\\\\\d"), { minLength: 1 })
        .map((ids) => `"${ids.join(",")}"`),
      port: fc.nat(65535).map(String),
      ipv4hint: fc.array(fc.ipV4(), { minLength: 1 }).map((list) => list.join(",")),
      ech: base64Text,
      ipv6hint: fc.array(ipv6Text, { minLength: 1 }).map((list) => list.join(",")),
      dohpath: fc.constantFrom('"/dns-query{?dns}"', "/{?dns}"),
      ohttp: fc.constant(""),
      key667: octets(0, 40).map(escaped),
      key65534: octets(0, 40).map((value) => `"${escaped(value)}"`),
    },
    { requiredKeys: [] },
  )
  .chain((chosen) => {
    const keys = Object.keys(chosen);
    const list = Object.entries(chosen).map(([key, value]) => (value === "" ? key : `${key}=${value}`));
    if (keys.includes("alpn")) list.push("no-default-alpn");
    return keys.length === 0
      ? fc.constant(list)
      : fc.subarray(keys, { minLength: 1 }).map((needed) => [...list, `mandatory=${needed.join(",")}`]);
  })
  .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }));

/** A digest with the right length for the digest type before it. */
const digestOf =
  (lengths: Readonly<Record<string, number>>, atLeast = 1): Generator =>
  (before) =>
    fc.integer({ min: atLeast, max: 70 }).chain((other) => one(hexText(lengths[before.at(-1)!] ?? other))(before));

const gatewayTexts = [fc.constant("."), fc.ipV4(), ipv6Text, nameText];
const gateways: readonly Generator[] = gatewayTexts.map(one);
const relayParts = fc
  .tuple(fc.nat(1), fc.nat(3))
  .chain(([flag, type]) => gatewayTexts[type]!.map((text): Parts => [flag, String(type), text]));

const lastKind = (type: RecordType) => type.fields.at(-1)!.kind;

const generators = new Map<FieldKind, Generator>([
  [u8, one(integer(255))],
  [u16, one(integer(65535))],
  [u32, one(integer(4294967295))],
  [seconds, one(integer(4294967295))],
  [gatewayType, one(integer(3))],
  [certificateType, one(fc.oneof(integer(65535), fc.constantFrom("PKIX", "oid")))],
  [algorithm, one(fc.oneof(integer(255), fc.constantFrom("RSASHA256", "ed448")))],
  [certificateAlgorithm, one(fc.oneof(integer(255), fc.constantFrom("RSASHA256", "ed448")))],
  [ipv4, one(fc.ipV4())],
  [ipv6, one(ipv6Text)],
  [name, one(nameText)],
  [compressedName, one(nameText)],
  [characterString, one(text(0, 255))],
  [characterStrings, () => fc.array(text(1, 2000), { minLength: 1 })],
  [remainingText, one(text(0, 2000))],
  [filledText, one(text(1, 2000))],
  [propertyTag, one(fc.stringMatching(/^[a-zA-Z0-9]{1,20}$/))],
  [degrees, one(decimalText(180))],
  [decimal, one(decimalText(100000))],
  [substitution, oneOf(["", "!^(.*)$!sip:\\1@e.com!i", "/a\\/[(]/b/"])],
  [base64, one(base64Text)],
  [ipsecKey, (before) => (Number(before[2]) === 0 ? fc.constant([]) : one(base64Text)(before))],
  [optionalKey, (before) => (Number(before[0]) >> 14 === 3 ? fc.constant([]) : one(base64Text)(before))],
  [gateway, (before) => gateways[Number(before[1])]!(before)],
  [typeBitmap, () => typeList],
  [addressPrefixes, () => prefixes],
  [serviceParams, (before) => (Number(before[0]) === 0 ? fc.constantFrom([], [""]) : params)],
  [typeMnemonic, one(typeText)],
  [notifyScheme, one(fc.oneof(integer(255), fc.constantFrom("NOTIFY", "notify")))],
  [eui48, one(pairs(6))],
  [eui64, one(pairs(8))],
  [locator64, one(locatorText)],
  [location, one(place)],
  [relay, () => relayParts],
  [hostIdentity, () => identity],
  [hex, one(octets(1, 80).map((value) => Buffer.from(value).toString("hex")))],
  [base64OrDash, one(fc.oneof(base64Text, fc.constant("-")))],
  [nsapAddress, one(octets(1, 20).map((value) => `0x${Buffer.from(value).toString("hex")}`))],
  [networkNumber, one(fc.stringMatching(/^\d{4,40}$/))],
  [optionalString, () => fc.array(text(0, 255), { maxLength: 1 })],
  [opaque, one(octets(0, 80).map((value) => `\\# ${value.length} ${Buffer.from(value).toString("hex")}`))],
  [path, oneOf(["/", "/a/*", "/ü"])],
  [target, one(fc.webUrl())],
  [lastKind(types.DS), digestOf({ 1: 20, 2: 32, 4: 48 })],
  [lastKind(types.CDS), digestOf({ 0: 1, 1: 20, 2: 32, 4: 48 })],
  [lastKind(types.ZONEMD), digestOf({ 1: 48, 2: 64 }, 12)],
  [lastKind(types.SSHFP), digestOf({ 1: 20, 2: 32 })],
  [lastKind(types.TLSA), digestOf({ 1: 32, 2: 64 })],
  [types.URLFWD.fields[2]!.kind, oneOf([301, "302"])],
  [types.URLFWD.fields[3]!.kind, oneOf([0, 1, "2"])],
  [types.URLFWD.fields[4]!.kind, oneOf([0, "1"])],
]);

function generatorOf(kind: FieldKind): Generator {
  const generator = generators.get(kind);
  if (!generator) throw new Error("a kind of field has no generator");
  return generator;
}
