/** Finds a name and a type in the image; the result is one named state (RFC 1034 section 4.3.2). */
import { TypeCode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import {
  firstView,
  flagAsAddress,
  flagClosed,
  flagCut,
  flagDisabled,
  flagDname,
  flagExpired,
  flagHidden,
  flagShut,
  flagWildcardBelow,
  rrsetAsAddress,
  rrsetOverridesAddresses,
} from "../image/memory/layout.ts";
import type { ImageReader } from "../image/reader.ts";
import { RrsetView } from "../image/rrset/view.ts";
import { find, findAsAddress, show } from "./linked-records.ts";

/**
 * - `answer`: `rrset` is the answer
 * - `any`: the name has data, but no RRset that can answer ANY
 * - `cname`, `dname`: `rrset` is to be followed; a DNAME is at `label`
 * - `alias`: `rrset` names the host whose addresses are the answer
 * - `delegation`: `rrset` has the NS records of the zone cut at `label`
 * - `nodata`, `nxdomain`: the zone denies the type or the name
 * - `expired`: a secondary zone that has expired, or was never transferred
 * - `refused`: no zone here has the name, or the zone is disabled, hidden or on other networks
 * - `shut`: the zone's data made the engine fail
 */
export type State =
  | "answer"
  | "any"
  | "cname"
  | "dname"
  | "alias"
  | "delegation"
  | "nodata"
  | "nxdomain"
  | "expired"
  | "refused"
  | "shut";

/** The result of a look-up; each look-up overwrites the object. */
export class Found {
  state: State = "refused";
  readonly rrset = new RrsetView();
  /** The zone's entry: linked zones have the same data, but different entries. 0 before a zone was found. */
  entry = 0;
  /** Data of the zone, and where its apex begins in the name. */
  data = 0;
  apex = 0;
  /** The node whose RRset decides; for `nxdomain` the closest encloser. */
  node = 0;
  /** Label of `node`: 0 for the name itself, and for a wildcard that is used for it. */
  label = 0;
  wildcard = false;
  /** For `delegation`: the fold of the zone cut. */
  fold = 0;
  /** With `wildcard`: the label of the closest encloser. */
  encloser = 0;
  /** Set by the caller: the query may see hidden zones. */
  isAdmitted = false;
  /** The record is linked: the reader's `target` has the name of its target. */
  isLinked = false;
  /** The state of a linked record's target zone if that zone cannot be answered now. */
  broken: State | undefined;
  readonly trail: Trail;

  constructor(trail: Trail = new Int32Array(trailWords)) {
    this.trail = trail;
  }
}

/**
 * The current position of a look-up, to trace a fault to its data: the data of the zone, or 0 before a zone was found, and
 * the hash under which the name's node is looked up.
 */
export type Trail = Int32Array;

export const trailWords = 2;

export function lookup(image: ImageReader, key: NameKey, qtype: number, found: Found): State {
  const state = search(image, key, qtype, found);
  const isBroken = found.broken !== undefined && (state === "nodata" || state === "nxdomain");
  found.state = isBroken ? found.broken! : state;
  return found.state;
}

/**
 * Finds the zone before `lookup`, which then continues from there; the pinned revision must still be the same. Returns
 * the hash of the node to be looked up first, or 0 without a zone. It is the node of the name itself, or in a zone with
 * zone cuts the node directly below the apex, where most cuts are.
 */
export function prefetchZone(image: ImageReader, key: NameKey): number {
  key.entry = image.findZone(firstView, key, 0);
  if (key.entry === 0) return 0;
  key.apex = image.apex;
  const data = image.dataOf(key.entry);
  key.fold(data, key.apex);
  return key.folds[image.hasCuts(data) && key.apex > 0 ? key.apex - 1 : 0]!;
}

function search(image: ImageReader, key: NameKey, qtype: number, found: Found): State {
  found.wildcard = false;
  found.isLinked = false;
  found.broken = undefined;
  const isPrefetched = key.entry !== 0;
  let entry = isPrefetched ? key.entry : image.findZone(firstView, key, 0);
  if (entry === 0) return "refused";
  found.apex = isPrefetched ? key.apex : image.apex;
  // RFC 4035 section 3.1.4.1: DS is answered from the parent zone, if the image has that zone
  const fromParent =
    qtype === TypeCode.DS && found.apex === 0 && key.labels > 0 ? image.findZone(firstView, key, 1) : 0;
  const closed = flagDisabled | flagClosed | (found.isAdmitted ? 0 : flagHidden);
  if (fromParent !== 0 && !image.has(fromParent, closed)) {
    entry = fromParent;
    found.apex = image.apex;
  }
  if (image.has(entry, closed)) return "refused";
  found.entry = entry;
  if (image.has(entry, flagExpired)) return "expired";
  found.data = image.dataOf(entry);
  key.fold(found.data, found.apex);
  if (image.has(entry, flagShut)) return "shut";
  found.trail[0] = found.data;
  found.trail[1] = key.folds[0]!;
  const state = searchZone(image, key, qtype, found);
  // the child's apex exists, even if the parent zone lacks the delegation
  return state === "nxdomain" && entry === fromParent ? "nodata" : state;
}

/** `key` is folded below the zone's data. */
function searchZone(image: ImageReader, key: NameKey, qtype: number, found: Found): State {
  const { data, apex } = found;
  // without zone cuts: first the name itself, then its parent, the closest encloser of most missing names
  let lowest = 0;
  if (!image.hasCuts(data)) {
    const node = image.findNode(data, key, 0, apex);
    if (node !== 0) return atNode(image, qtype, found, node);
    const above = apex === 0 ? 0 : image.findNode(data, key, 1, apex);
    if (above !== 0) {
      found.node = above;
      found.label = 1;
      return belowEncloser(image, key, qtype, found);
    }
    lowest = 2;
  }
  let node = image.findNode(data, key, apex, apex);
  let label = apex;
  // from the apex down: the topmost zone cut or DNAME decides
  for (; node !== 0; label--) {
    found.node = node;
    found.label = label;
    const isCut = image.has(node, flagCut) && !(label === 0 && qtype === TypeCode.DS);
    // a linked NS record without a target delegates nothing
    if (isCut && find(image, node, TypeCode.NS, found)) {
      found.fold = key.folds[label]!;
      return "delegation";
    }
    if (label === 0) return atNode(image, qtype, found, node);
    if (image.has(node, flagDname) && find(image, node, TypeCode.DNAME, found)) return "dname";
    node = label > lowest ? image.findNode(data, key, label - 1, apex) : 0;
  }
  return belowEncloser(image, key, qtype, found);
}

/** RFC 4592 section 3.3.1: only the wildcard directly below the closest encloser is a source of synthesis. */
function belowEncloser(image: ImageReader, key: NameKey, qtype: number, found: Found): State {
  if (!image.has(found.node, flagWildcardBelow)) return "nxdomain";
  const node = image.findWildcard(found.data, key, found.label, found.apex);
  if (node === 0) return "nxdomain";
  found.wildcard = true;
  found.encloser = found.label;
  return atNode(image, qtype, found, node);
}

function atNode(image: ImageReader, qtype: number, found: Found, node: number): State {
  const { rrset } = found;
  found.node = node;
  found.label = 0;
  if (qtype === TypeCode.ANY) return anyAt(image, node, found);
  const isAlias = image.has(node, flagAsAddress) && (qtype === TypeCode.A || qtype === TypeCode.AAAA);
  if (isAlias && findAsAddress(image, node, found) && (rrset.flags & rrsetOverridesAddresses) !== 0) return "alias";
  if (find(image, node, qtype, found) && (rrset.flags & rrsetAsAddress) === 0) return "answer";
  if (find(image, node, TypeCode.CNAME, found)) return "cname";
  return isAlias && findAsAddress(image, node, found) ? "alias" : "nodata";
}

/** RFC 8482 section 4.1: an ANY query is answered with one of the name's RRsets. */
function anyAt(image: ImageReader, node: number, found: Found): State {
  const count = image.rrsets(node);
  for (let i = 0; i < count; i++) if (show(image, node, i, found)) return "answer";
  return count > 0 ? "any" : "nodata";
}
