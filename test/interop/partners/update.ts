/** Dynamic updates (RFC 2136) for primaries that take them. */
import { randomInt } from "node:crypto";
import { parseReply } from "../../../src/dns/reply.ts";
import { Class, Opcode, TypeCode } from "../../../src/dns/wire/constants.ts";
import { nameFromApi } from "../../../src/dns/wire/name.ts";
import { Writer } from "../../../src/dns/wire/wire.ts";
import { exchange } from "../../../src/net/client/exchange.ts";
import type { Change, Edit } from "./program.ts";

export const updated =
  (port: number): Edit =>
  async (change) => {
    const answer = await exchange(
      { address: "127.0.0.1", port, transport: "tcp", timeout: 60_000 },
      messageFor(change),
    );
    const { rcode } = parseReply(answer);
    if (rcode !== 0) throw new Error(`the update of ${change.domain} ${change.type.name} got RCODE ${rcode}`);
  };

function messageFor({ zone, domain, type, ttl, rdata }: Change): Uint8Array {
  const writer = new Writer(new Uint8Array(65_535));
  for (const value of [randomInt(0x10000), Opcode.UPDATE << 11, 1, 0, 1 + rdata.length, 0]) writer.u16(value);
  writer.name(nameFromApi(zone), false);
  for (const value of [TypeCode.SOA, Class.IN]) writer.u16(value);
  const update = (rrClass: number, seconds: number, data: Uint8Array) => {
    writer.name(nameFromApi(domain), false);
    for (const value of [type.code, rrClass]) writer.u16(value);
    writer.u32(seconds);
    writer.u16(data.length);
    writer.bytes(data);
  };
  // section 2.5.2: no RDATA of class ANY deletes the RRset
  update(Class.ANY, 0, new Uint8Array());
  for (const data of rdata) update(Class.IN, ttl, data);
  return writer.octets.slice(0, writer.at);
}
