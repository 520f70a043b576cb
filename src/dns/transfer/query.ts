/** The queries that servers of a zone send each other: SOA, AXFR, IXFR and NOTIFY. */

import type { ResourceRecord } from "../reply.ts";
import { Class, Opcode, TypeCode } from "../wire/constants.ts";
import { Flag } from "../wire/message.ts";
import type { Name } from "../wire/name.ts";
import { Opt } from "../wire/opt.ts";
import { Writer } from "../wire/wire.ts";

/** The maximum octets of a query. */
const mostOctets = 2048;
/** The octets that this server accepts over UDP, for the OPT record. */
const payload = 1232;

function compose(
  id: number,
  flags: number,
  zone: Name,
  type: number,
  soa?: { section: 1 | 2; record: ResourceRecord },
) {
  const writer = new Writer(new Uint8Array(mostOctets));
  const count = (section: number) => (soa?.section === section ? 1 : 0);
  for (const value of [id, flags, 1, count(1), count(2), 0]) writer.u16(value);
  writer.name(zone, false);
  for (const value of [type, Class.IN]) writer.u16(value);
  if (soa) {
    writer.name(soa.record.owner, true);
    for (const value of [TypeCode.SOA, Class.IN]) writer.u16(value);
    writer.u32(soa.record.ttl);
    writer.u16(soa.record.rdata.length);
    writer.bytes(soa.record.rdata);
  }
  return writer.octets.slice(0, writer.at);
}

/** RFC 8467 section 4.1, in octets. */
const paddingBlock = 128;

/** Adds an OPT record with padding to a query: with `signature` further octets of signature it fills whole blocks. */
export function padded(query: Uint8Array, signature: number): Uint8Array {
  const opt = new Opt();
  opt.present = true;
  opt.block = paddingBlock;
  opt.pad(query.length + signature, mostOctets);
  const octets = new Uint8Array(query.length + opt.size());
  octets.set(query);
  opt.compose(octets, query.length, payload, 0);
  octets[11] = 1;
  return octets;
}

export const soaQuery = (id: number, zone: Name) => compose(id, 0, zone, TypeCode.SOA);
export const axfrQuery = (id: number, zone: Name) => compose(id, 0, zone, TypeCode.AXFR);

/** RFC 1995 section 3: with our SOA record in the authority section. */
export const ixfrQuery = (id: number, zone: Name, record: ResourceRecord) =>
  compose(id, 0, zone, TypeCode.IXFR, { section: 2, record });

/** RFC 1996 section 3: with the new SOA record in the answer section, as a hint. */
export const notifyQuery = (id: number, zone: Name, record: ResourceRecord) =>
  compose(id, (Opcode.NOTIFY << 11) | Flag.AA, zone, TypeCode.SOA, { section: 1, record });
