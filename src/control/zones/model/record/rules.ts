/** Rules of records: names inside the zone, types that clients may write, and types that may share a name. Pure. */
import { isSingle as isSingleType } from "../../../../answer/image/rrset/rrset.ts";
import type { RecordType } from "../../../../dns/rdata/record-type.ts";
import { typeCoded, typeNamed } from "../../../../dns/type-names.ts";
import { TypeCode } from "../../../../dns/wire/constants.ts";
import { isSubdomain, nameFromApi, nameToApi } from "../../../../dns/wire/name.ts";
import { invalid, invalidField, notBuilt, Problem } from "../../../../lib/problem.ts";

/** Types that only a signer creates. */
const signing: ReadonlyMap<string, number> = new Map([
  ["DNSKEY", TypeCode.DNSKEY],
  ["CDS", TypeCode.CDS],
  ["CDNSKEY", TypeCode.CDNSKEY],
  ["RRSIG", TypeCode.RRSIG],
  ["NSEC", TypeCode.NSEC],
  ["NSEC3", TypeCode.NSEC3],
  ["NSEC3PARAM", TypeCode.NSEC3PARAM],
]);
const signingCodes = new Set(signing.values());

/** Reads the type in a path or body. Throws for an unknown type. */
export function readType(text: string): RecordType {
  const code = signing.get(text.toUpperCase());
  const type = code === undefined ? typeNamed(text) : typeCoded(code);
  if (!type) throw invalid(`record type "${text}" is not known`, { field: "type", type: text });
  return type;
}

/** Whether a record of the type has a single answer, because several targets would be ambiguous. */
export const isSingle = (type: RecordType) => isSingleType(type.code) || type.served === "as-address";

/** Throws for types that clients cannot write. */
export function assertWritable(type: RecordType): void {
  if (signingCodes.has(type.code)) {
    throw new Problem("method_not_allowed", "Operation on DNSSEC record is not allowed", { type: type.name });
  }
  if (type.name === "SOA") throw invalidField("type", "the SOA record is made from the zone's own fields");
  if (type.served === "redirect") {
    const name = `${type.name} (TYPE${type.code})`;
    throw notBuilt(`records of type ${name} are not built yet: there is no redirect service`, { field: "type" });
  }
  if (!type.writable) throw invalidField("type", `records of type ${type.name} cannot be written by clients`);
}

/** The owner's canonical name. Throws unless it is the zone's apex or below it. */
export function readDomain(text: string, zone: string): string {
  const name = nameFromApi(text);
  if (!isSubdomain(name, nameFromApi(zone))) {
    const hint = /^[\w*-]+$/.test(text) ? `: write ${text}.${zone}` : "";
    throw invalid(`domain "${text}" is not in the zone ${zone}${hint}`, { field: "domain", zone });
  }
  return nameToApi(name);
}

/** Types that may share a name with a CNAME (RFC 4034 sections 3 and 4). */
const besideCname = new Set(["CNAME", "RRSIG", "NSEC"]);

/** Throws when a record of this type cannot share the name with records of the other types. */
export function assertCompatible(type: RecordType, domain: string, zone: string, others: readonly string[]): void {
  const apex = domain === zone;
  if (apex && (type.name === "CNAME" || type.name === "DS")) {
    const instead = type.name === "CNAME" ? "; ALIAS can be used there" : "";
    throw invalid(`a record of type ${type.name} cannot be at the zone's apex${instead}`, { field: "type", domain });
  }
  const refused = others.find((other) => !mayShare(type.name, other, apex));
  if (refused !== undefined) {
    throw invalid(`${domain} has a record of type ${refused}, which cannot share a name with ${type.name}`, {
      field: "type",
      domain,
      other: refused,
    });
  }
}

function mayShare(type: string, other: string, apex: boolean): boolean {
  if (type === other) return true;
  if (type === "CNAME") return besideCname.has(other);
  if (other === "CNAME") return besideCname.has(type);
  // RFC 6672 section 2.3: below the apex a DNAME and a delegation would contradict each other
  const pair = [type, other];
  return apex || !(pair.includes("DNAME") && pair.includes("NS"));
}
