/** An RRset as the image holds it: records ready for a reply, with a pointer to the question's name as owner name. */

import { compressible, rdataFromApi } from "../../../dns/rdata/codec.ts";
import type { RecordType } from "../../../dns/rdata/record-type.ts";
import { typeCoded, typeNamed } from "../../../dns/type-names.ts";
import { Class, TypeCode } from "../../../dns/wire/constants.ts";
import { nameFromApi } from "../../../dns/wire/name.ts";
import { invalid } from "../../../lib/problem.ts";
import { isSteered } from "../../model/steering-settings.ts";
import {
  linkedName,
  recordLength,
  recordRdata,
  recordTtl,
  rrsetAsAddress,
  rrsetLinked,
  rrsetNameAtShift,
  rrsetOverridesAddresses,
  rrsetOverridesTtl,
  rrsetTarget,
} from "../memory/layout.ts";
import type { ImageRecord } from "./source.ts";
import { addSettings } from "./steered.ts";

export interface Rrset {
  readonly type: number;
  readonly count: number;
  readonly flags: number;
  readonly octets: Uint8Array;
}

/** Longer RRsets do not fit into any DNS message. */
const mostOctets = 65_535;

/** RFC 2181 section 10.1, RFC 6672 section 2.4, RFC 9606 section 5: types with at most one record per name. */
export const isSingle = (type: number) =>
  type === TypeCode.CNAME || type === TypeCode.DNAME || type === TypeCode.RESINFO;

/** Types with a host name in RDATA, and its offset there; the host's addresses belong in the additional section. */
const targets: Readonly<Record<number, number>> = {
  [TypeCode.NS]: 0,
  [TypeCode.MX]: 2,
  [TypeCode.SRV]: 6,
  [TypeCode.SVCB]: 2,
  [TypeCode.HTTPS]: 2,
};

/** Undefined for types that are not served over DNS; `asSent` as in `addSettings`. Throws a Problem when an answer does not fit its type. */
export function rrsetOf(record: ImageRecord, asSent = false): Rrset | undefined {
  const type = typeNamed(record.type);
  if (!type) throw invalid(`record type "${record.type}" is not known`, { field: "type" });
  if (type.served === "redirect") return undefined;
  if (record.link) return linked(type, record, nameFromApi(record.link));
  const steered = record.answers.length > 0 && isSteered(record.filters);
  const answers = isSingle(type.code) && !steered ? record.answers.slice(0, 1) : record.answers;
  const { distinct, indexes } = withoutTwins(answers.map(({ answer }) => rdataFromApi(type, answer)));
  const rrset = compose(type.code, record.ttl, distinct, flagsOf(type, record, distinct[0]));
  if (!steered) return rrset;
  if (asSent) return addSettings(rrset, record, indexes, asSent);
  const result = composed.get(record) ?? addSettings(rrset, record, indexes, asSent);
  composed.set(record, result);
  return result;
}

/** Steered records are composed once, although their size is asked for before they are staged. */
const composed = new WeakMap<ImageRecord, Rrset>();

/** An RRset without steering from distinct RDATA in wire format. Undefined for types that are not served over DNS. */
export function plainRrset(code: number, ttl: number, rdata: readonly Uint8Array[]): Rrset | undefined {
  const type = typeCoded(code);
  if (type.served === "redirect") return undefined;
  return compose(code, ttl, rdata, flagsOf(type, plain, rdata[0]));
}

/** A linked RRset: the name of its target instead of answers. */
function linked(type: RecordType, { ttl, override_ttl }: ImageRecord, target: Uint8Array): Rrset {
  const octets = new Uint8Array(linkedName + target.length);
  new DataView(octets.buffer).setUint32(0, ttl);
  octets.set(target, linkedName);
  const flags =
    rrsetLinked | (override_ttl ? rrsetOverridesTtl : 0) | (type.served === "as-address" ? rrsetAsAddress : 0);
  return { type: type.code, count: 1, flags, octets };
}

const plain = { override_address_records: false, override_ttl: false };

/** Records of one type, one after another. */
export function compose(type: number, ttl: number, rdata: readonly Uint8Array[], flags: number): Rrset {
  const octets = new Uint8Array(rdata.reduce((sum, each) => sum + recordRdata + each.length, 0));
  if (octets.length > mostOctets) throw invalid(`an RRset of ${octets.length} octets does not fit into a DNS message`);
  const view = new DataView(octets.buffer);
  let at = 0;
  for (const each of rdata) {
    view.setUint16(at, 0xc00c);
    view.setUint16(at + 2, type);
    view.setUint16(at + 4, Class.IN);
    view.setUint32(at + recordTtl, ttl);
    view.setUint16(at + recordLength, each.length);
    octets.set(each, at + recordRdata);
    at += recordRdata + each.length;
  }
  return { type, count: rdata.length, flags, octets };
}

function flagsOf(
  type: RecordType,
  record: Pick<ImageRecord, "override_address_records" | "override_ttl">,
  rdata: Uint8Array | undefined,
): number {
  if (type.served === "as-address") {
    return (
      rrsetAsAddress |
      (record.override_address_records ? rrsetOverridesAddresses : 0) |
      (record.override_ttl ? rrsetOverridesTtl : 0)
    );
  }
  const names = type.compress && rdata ? compressible(type, rdata) : [];
  const target = targets[type.code];
  const nameAt = names[0] ?? target ?? 0;
  return names.length | (target === undefined ? 0 : rrsetTarget) | (nameAt << rrsetNameAtShift);
}

/** RFC 2181 section 5: the records of an RRset have different RDATA. `indexes` has each input's index in `distinct`. */
export function withoutTwins(rdata: Uint8Array[]): { distinct: Uint8Array[]; indexes: number[] } {
  if (rdata.length < 2) return { distinct: rdata, indexes: [0] };
  const seen = new Map<string, number>();
  const distinct: Uint8Array[] = [];
  const indexes = rdata.map((each) => {
    const text = Buffer.from(each).toString("latin1");
    const known = seen.get(text);
    if (known !== undefined) return known;
    seen.set(text, distinct.length);
    return distinct.push(each) - 1;
  });
  return { distinct, indexes };
}
