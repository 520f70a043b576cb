/** Follows a CNAME or DNAME: adds its records to the answer, and its target to the CNAME chain. */
import { Rcode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import { recordRdata } from "../image/memory/layout.ts";
import { type RrsetView, ttlOf } from "../image/rrset/view.ts";
import { ownTtl, Section } from "./message.ts";
import type { Workspace } from "./workspace.ts";

/** Like `followDname`, returns false when the chain ends here. */
export function followCname(space: Workspace, hop: number): boolean {
  const { message, names, found, dnames } = space;
  dnames[hop] = 0;
  if (!message.add(Section.answer, found.rrset, names[hop]!, 0, ownTtl)) {
    message.truncated = true;
    return false;
  }
  names[hop + 1]!.load(found.rrset.octets, found.rrset.at + recordRdata);
  return true;
}

export function followDname(space: Workspace, hop: number): boolean {
  const { message, names, found, substituted } = space;
  const name = names[hop]!;
  const next = names[hop + 1]!;
  if (!addDname(space, hop)) {
    message.truncated = true;
    return false;
  }
  // RFC 6672 section 2.2: YXDOMAIN if the new name is longer than 255 octets
  if (!substitute(name, found.label, found.rrset, substituted[hop]!)) {
    message.rcode = Rcode.YXDOMAIN;
    return false;
  }
  next.load(substituted[hop]!, 0);
  if (message.addCname(name, ttlOf(found.rrset), next)) return true;
  message.truncated = true;
  return false;
}

/** Adds the DNAME, unless an earlier hop of the chain has added it; false if it does not fit. */
function addDname(space: Workspace, hop: number): boolean {
  const { message, names, found, dnames } = space;
  dnames[hop] = found.node;
  for (let i = 0; i < hop; i++) if (dnames[i] === found.node) return true;
  return message.add(Section.answer, found.rrset, names[hop]!, found.label, ownTtl);
}

/** Replaces the labels from `label` on with the DNAME's target; false if the name would be too long. */
export function substitute(name: NameKey, label: number, rrset: RrsetView, into: Uint8Array): boolean {
  const kept = name.starts[label]!;
  const from = rrset.at + recordRdata;
  const length = rrset.end - from;
  if (kept + length > 255) return false;
  for (let i = 0; i < kept; i++) into[i] = name.source[name.sourceAt + i]!;
  for (let i = 0; i < length; i++) into[kept + i] = rrset.octets[from + i]!;
  return true;
}
