/**
 * Linked records: each is answered with the current answers of its target, as long as that exists, belongs to the same
 * account, and is not linked itself. The entry in `Found` is that of the linked record's zone.
 */
import {
  firstView,
  flagClosed,
  flagExpired,
  flagHidden,
  flagShut,
  linkedName,
  rrsetAsAddress,
  rrsetLinked,
  rrsetOverridesTtl,
} from "../image/memory/layout.ts";
import type { ImageReader } from "../image/reader.ts";
import { read32 } from "../lists/list.ts";
import type { Found } from "./lookup.ts";

/** Shows a node's RRset of a type in `found.rrset`; false when there is none, or it is linked and has no target. */
export function find(image: ImageReader, node: number, type: number, found: Found): boolean {
  return image.find(node, type, found.rrset) && resolve(image, found);
}

/** Like `find`, for the RRset that answers address queries with the addresses of its target. */
export function findAsAddress(image: ImageReader, node: number, found: Found): boolean {
  return image.findAsAddress(node, found.rrset) && resolve(image, found);
}

/** Like `find`, by index in the node's directory; false also for an RRset that is served as addresses. */
export function show(image: ImageReader, node: number, index: number, found: Found): boolean {
  const { rrset } = found;
  image.show(node, index, rrset);
  return rrset.count > 0 && (rrset.flags & rrsetAsAddress) === 0 && resolve(image, found);
}

function resolve(image: ImageReader, found: Found): boolean {
  found.isLinked = (found.rrset.flags & rrsetLinked) !== 0;
  return !found.isLinked || followLink(image, found);
}

/** Shows the target's RRset in place of the linked RRset. Zone cuts above the target are ignored. */
function followLink(image: ImageReader, found: Found): boolean {
  const { rrset, trail } = found;
  const { octets, at, type, flags } = rrset;
  const { target } = image;
  target.load(octets, at + linkedName);
  const entry = image.findZone(firstView, target, 0);
  if (entry === 0 || image.has(entry, flagClosed | flagHidden)) return false;
  // names of a linked zone are no targets; the zone may also have been made by another account since the link was written
  if (image.isLinked(entry) || image.accountOf(entry) !== image.accountOf(found.entry)) return false;
  if (image.has(entry, flagExpired | flagShut)) {
    found.broken = image.has(entry, flagShut) ? "shut" : "expired";
    return false;
  }
  const data = image.dataOf(entry);
  const { apex } = image;
  target.fold(data, apex);
  // from here on, faults are blamed on the target's data
  trail[0] = data;
  trail[1] = target.folds[0]!;
  const node = image.findNode(data, target, 0, apex);
  if (node === 0 || !image.find(node, type, rrset) || (rrset.flags & rrsetLinked) !== 0) return false;
  if ((flags & rrsetOverridesTtl) === 0) return true;
  rrset.flags |= rrsetOverridesTtl;
  rrset.ttl = read32(octets, at);
  return true;
}
