/** The SOA record, made from the zone's fields; clients cannot write it. */
import { TypeCode } from "../../../dns/wire/constants.ts";
import { type Name, nameFromApi } from "../../../dns/wire/name.ts";
import { joined } from "../../../dns/wire/wire.ts";
import { compose, type Rrset } from "./rrset.ts";
import type { ImageZone } from "./source.ts";

/** Octets after the two names: serial, refresh, retry, expire, minimum. */
const numbers = 20;
/** Two compressible names, from the first octet of RDATA on. */
const flags = 2;

export const soaOf = (zone: ImageZone, serial: number): Rrset =>
  compose(TypeCode.SOA, zone.ttl, [soaRdata(zone, serial)], flags);

type SoaFields = Pick<ImageZone, "primary_master" | "hostmaster" | "refresh" | "retry" | "expiry" | "nx_ttl">;

export function soaRdata(zone: SoaFields, serial: number): Uint8Array {
  const tail = new DataView(new ArrayBuffer(numbers));
  [serial, zone.refresh, zone.retry, zone.expiry, zone.nx_ttl].forEach((value, i) => {
    tail.setUint32(i * 4, value);
  });
  return joined([nameFromApi(zone.primary_master), mailbox(zone.hostmaster), new Uint8Array(tail.buffer)]);
}

/** Offset of the serial in an SOA record that ends at `end`. */
export const serialAt = (end: number) => end - numbers;
/** Offset of the minimum: RFC 2308 section 4, the TTL of negative answers. */
export const minimumAt = (end: number) => end - 4;

/** `user@host` or the name itself; dots of the user stay inside the first label (RFC 1035 section 8). */
function mailbox(hostmaster: string): Name {
  const at = hostmaster.lastIndexOf("@");
  if (at < 0) return nameFromApi(hostmaster);
  return nameFromApi(
    `${hostmaster.slice(0, at).replaceAll("\\.", ".").replaceAll(".", "\\.")}.${hostmaster.slice(at + 1)}`,
  );
}
