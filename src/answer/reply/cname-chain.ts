/** Follows an alias by one link: adds its records to the answer, and its target to the chain. */
import { Rcode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import { recordRdata } from "../image/memory/layout.ts";
import { type RrsetView, ttlOf } from "../image/rrset/view.ts";
import { ownTtl, Section } from "./message.ts";
import type { Workspace } from "./workspace.ts";

/** Like `followDname`, returns false when the chain ends here. */
export function followCname(space: Workspace, link: number): boolean {
  const { message, chain, found, dnames } = space;
  dnames[link] = 0;
  if (!message.add(Section.answer, found.rrset, chain[link]!, 0, ownTtl)) {
    message.truncated = true;
    return false;
  }
  chain[link + 1]!.load(found.rrset.octets, found.rrset.at + recordRdata);
  return true;
}

export function followDname(space: Workspace, link: number): boolean {
  const { message, chain, found, substituted } = space;
  const name = chain[link]!;
  const next = chain[link + 1]!;
  if (!addDname(space, link)) {
    message.truncated = true;
    return false;
  }
  // RFC 6672 section 2.2: YXDOMAIN if the new name is longer than 255 octets
  if (!substitute(name, found.label, found.rrset, substituted[link]!)) {
    message.rcode = Rcode.YXDOMAIN;
    return false;
  }
  next.load(substituted[link]!, 0);
  if (message.addCname(name, ttlOf(found.rrset), next)) return true;
  message.truncated = true;
  return false;
}

/** Adds the DNAME, unless an earlier link of the chain already added it; false when it does not fit. */
function addDname(space: Workspace, link: number): boolean {
  const { message, chain, found, dnames } = space;
  dnames[link] = found.node;
  for (let i = 0; i < link; i++) if (dnames[i] === found.node) return true;
  return message.add(Section.answer, found.rrset, chain[link]!, found.label, ownTtl);
}

/** Replaces the labels from `label` on by the DNAME's target; false when the name would be too long. */
export function substitute(name: NameKey, label: number, rrset: RrsetView, into: Uint8Array): boolean {
  const kept = name.starts[label]!;
  const from = rrset.at + recordRdata;
  const length = rrset.end - from;
  if (kept + length > 255) return false;
  for (let i = 0; i < kept; i++) into[i] = name.source[name.sourceAt + i]!;
  for (let i = 0; i < length; i++) into[kept + i] = rrset.octets[from + i]!;
  return true;
}
