/** The additional section: glue, addresses of hosts that the answer names, and texts of filters. */
import { TypeCode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import {
  recordLength,
  recordRdata,
  rrsetNameAtMask,
  rrsetNameAtShift,
  rrsetSteered,
  rrsetTarget,
} from "../image/memory/layout.ts";
import { compose } from "../image/rrset/rrset.ts";
import { dropSettings } from "../image/rrset/steered.ts";
import { RrsetView } from "../image/rrset/view.ts";
import { find } from "../lookup/linked-records.ts";
import { type Found, lookup, type State } from "../lookup/lookup.ts";
import { matchedEnd } from "./apply-filters.ts";
import { ownTtl, Section } from "./message.ts";
import { mostHosts, type Workspace } from "./workspace.ts";

const asGlue = -2;
const addressTypes = [TypeCode.A, TypeCode.AAAA];

export function addAdditional(space: Workspace, state: State): void {
  const { message, found, steering } = space;
  if (!message.truncated) {
    if (state === "delegation") addGlue(space);
    else if (state === "answer" && (found.rrset.flags & rrsetTarget) !== 0) addHosts(space, found.rrset);
  }
  if (steering.texts.length > 0) addTexts(space);
}

/** Adds the glue of the delegation in `found`, from inside the zone and even from below other zone cuts. */
function addGlue(space: Workspace): void {
  const { found, name, hostFound } = space;
  hostFound.entry = found.entry;
  // RFC 9471 section 3: TC is set when glue below the cut does not fit; other glue is optional
  const others = addGlueBelow(space, found, name);
  if (others < 0) space.message.truncated = true;
  else if (others > 0) addOtherGlue(space, found, name);
}

/** Adds glue below the cut. Returns the number of servers that are not below it, or -1 if the glue does not fit. */
function addGlueBelow(space: Workspace, found: Found, name: NameKey): number {
  const { image, message, host } = space;
  const { octets, end } = found.rrset;
  const { label, fold } = found;
  let others = 0;
  for (let at = found.rrset.at, record = 0; at < end; at = nextRecord(octets, at), record++) {
    const offset = message.target(record);
    let node = offset > 0 ? findNear(space, found, name, at) : 0;
    if (node === 0) {
      const below = host.loadBelow(octets, at + recordRdata, nextRecord(octets, at), name, label, fold);
      if (below < 0) {
        others++;
        continue;
      }
      node = image.findNode(found.data, host, 0, below + found.apex - label);
    }
    if (node !== 0 && !addAddresses(space, node, asGlue, offset)) return -1;
  }
  return others;
}

/**
 * The node of a server directly below the cut, if the record has the server's name in lower case, as is usual; otherwise
 * 0. Only the first label is parsed, since the rest of the name is a suffix of the question's name.
 */
function findNear({ image }: Workspace, { data, apex, label, fold, rrset }: Found, name: NameKey, at: number): number {
  const { octets } = rrset;
  const first = at + recordRdata;
  const rest = first + 1 + octets[first]!;
  if (!name.endsLike(label, octets, rest, nextRecord(octets, at))) return 0;
  const length = rest - first + name.starts[apex]! - name.starts[label]!;
  return image.findLabels(data, name.foldLabel(octets, first, fold), octets, first, length);
}

function addOtherGlue(space: Workspace, found: Found, name: NameKey): void {
  const { image, message, host } = space;
  const { octets, end } = found.rrset;
  for (let at = found.rrset.at, record = 0; at < end; at = nextRecord(octets, at), record++) {
    host.load(octets, at + recordRdata);
    if (suffixAt(host, name, found.label) >= 0) continue;
    const apex = suffixAt(host, name, found.apex);
    if (apex < 0) continue;
    host.fold(found.data, apex);
    const node = image.findNode(found.data, host, 0, apex);
    if (node !== 0 && !addAddresses(space, node, asGlue, message.target(record))) return;
  }
}

/** Adds addresses of the hosts that a positive answer names, as far as our zones have addresses and they fit. */
function addHosts(space: Workspace, named: RrsetView): void {
  const { image, message, host, hostFound, seen } = space;
  const { octets, end } = named;
  const nameAt = recordRdata + ((named.flags >>> rrsetNameAtShift) & rrsetNameAtMask);
  let hosts = 0;
  for (let at = named.at, record = 0; at < end && hosts < mostHosts; at = nextRecord(octets, at), record++) {
    host.load(octets, at + nameAt);
    if (host.labels === 0) continue;
    const state = lookup(image, host, TypeCode.A, hostFound);
    if (state !== "answer" && state !== "nodata") continue;
    // several SRV records may name the same host with different ports
    if (isAmong(seen, hosts, hostFound.node)) continue;
    seen[hosts++] = hostFound.node;
    const matched = matchedEnd(space, hostFound, host);
    if (!addAddresses(space, hostFound.node, matched, message.target(record))) return;
  }
}

/**
 * Adds the addresses at a node; false if they do not fit. Their owner is the host's name, which is at `offset` of the
 * message unless that is 0. See `Steering.select` for `matchedEnd`. Filters do not apply to glue.
 */
function addAddresses(space: Workspace, node: number, matchedEnd: number, offset: number): boolean {
  const { image, message, host, hostFound } = space;
  const { rrset } = hostFound;
  for (const type of addressTypes) {
    if (!find(image, node, type, hostFound)) continue;
    if ((rrset.flags & rrsetSteered) !== 0) {
      if (matchedEnd === asGlue) dropSettings(rrset);
      else if (!space.steering.select(rrset, host, matchedEnd)) continue;
    }
    const fits =
      offset > 0
        ? message.addOwned(Section.additional, rrset, offset)
        : message.add(Section.additional, rrset, host, 0, ownTtl);
    if (!fits) return false;
  }
  return true;
}

/** Adds the texts that filters made, if they fit. */
function addTexts({ message, steering }: Workspace): void {
  for (const { owner, ttl, rdata } of steering.texts) {
    message.add(Section.additional, RrsetView.of(compose(TypeCode.TXT, ttl, [rdata], 0)), owner, 0, ownTtl);
  }
}

/** Label of `host` at which the name's suffix from `label` on begins; -1 when the host is not below it. */
function suffixAt(host: NameKey, name: NameKey, label: number): number {
  const at = host.labels - (name.labels - label);
  return at >= 0 && host.sameFrom(at, name, label) ? at : -1;
}

function isAmong(seen: Int32Array, count: number, node: number): boolean {
  for (let i = 0; i < count; i++) if (seen[i] === node) return true;
  return false;
}

const nextRecord = (octets: Uint8Array, at: number) =>
  at + recordRdata + ((octets[at + recordLength]! << 8) | octets[at + recordLength + 1]!);
