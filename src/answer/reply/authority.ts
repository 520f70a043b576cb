/** The authority section: the name servers of a delegation, or the SOA record of a zone that denies the name or type. */
import { TypeCode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import type { ImageReader } from "../image/reader.ts";
import { minimumAt } from "../image/rrset/soa.ts";
import { ttlOf } from "../image/rrset/view.ts";
import { read32 } from "../lists/list.ts";
import type { Found, State } from "../lookup/lookup.ts";
import { ownTtl, Section } from "./message.ts";
import type { Workspace } from "./workspace.ts";

export function addAuthority(space: Workspace, state: State): void {
  if (state === "delegation") addReferral(space);
  else if (state === "nodata" || state === "nxdomain") addDenial(space);
}

function addReferral({ message, found, name }: Workspace): void {
  if (!message.add(Section.authority, found.rrset, name, found.label, ownTtl)) message.truncated = true;
}

/** RFC 2308 section 3: NODATA and NXDOMAIN have the SOA record, with the TTL for which they may be cached. */
function addDenial(space: Workspace): void {
  const { image, message, rrset, found, name } = space;
  space.denied = found.entry;
  image.find(apexOf(image, found, name), TypeCode.SOA, rrset);
  const ttl = Math.min(ttlOf(rrset), read32(rrset.octets, minimumAt(rrset.end)));
  // uncompressed if it fits, which is faster
  const { flags } = rrset;
  rrset.flags = 0;
  if (message.add(Section.authority, rrset, name, found.apex, ttl)) return;
  rrset.flags = flags;
  if (!message.add(Section.authority, rrset, name, found.apex, ttl)) message.truncated = true;
}

/** The node of the apex: often the node where the look-up of a missing name ended. */
function apexOf(image: ImageReader, { node, label, data, apex }: Found, name: NameKey): number {
  if (label === apex) return node;
  name.fold(data, apex);
  return image.findNode(data, name, apex, apex);
}
