/** Answers one question from an image: look up, follow aliases, and put what each state asks for into its section. */

import { rdataFromApi, types } from "../../dns/types.ts";
import { ExtendedError, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { headerOctets, type Query } from "../../dns/wire/message.ts";
import type { Source } from "../chain/steering.ts";
import type { NameKey } from "../image/memory/key.ts";
import { rrsetSteered, rrsetTarget } from "../image/memory/layout.ts";
import type { ImageReader } from "../image/reader.ts";
import { compose } from "../image/rrset/rrset.ts";
import { minimumAt } from "../image/rrset/soa.ts";
import { RrsetView, read32, ttlOf } from "../image/rrset/view.ts";
import { type Found, lookup, type State } from "../lookup/lookup.ts";
import { addGlue, addHosts } from "./additional.ts";
import { answerAlias } from "./alias.ts";
import { ownTtl, Section } from "./compose.ts";
import { followCname, followDname } from "./follow.ts";
import { addTexts, steer } from "./steer.ts";
import type { Trace } from "./trace.ts";
import { maxLinks, type Workspace } from "./workspace.ts";

/** RFC 8482 section 4.2: in place of an RRset where there is none to show. */
const rfc8482 = RrsetView.of(compose(TypeCode.HINFO, 3600, [rdataFromApi(types.HINFO, ["RFC8482", ""])], 0));

/**
 * Fills the workspace's message, which was begun for this query. Pure: the image, what feeds say, the query, who sent
 * it and the workspace's random numbers decide, and a trace changes no octet.
 */
export function respond(space: Workspace, query: Query, source: Source, trace?: Trace): void {
  const { steering } = space;
  steering.begin(query, source);
  follow(space, query, trace);
  if (steering.texts.length > 0) addTexts(space);
  space.message.opt.scope = steering.scope;
}

function follow(space: Workspace, query: Query, trace: Trace | undefined): void {
  const { image, message, chain, found } = space;
  const question = load(space, query);
  chain[0] = question;
  message.ask(question);
  for (let link = 0; ; link++) {
    const name = chain[link]!;
    let state = lookup(image, name, query.qtype, found);
    // RFC 1035 section 4.1.1: AA is about the first owner name in the answer
    if (link === 0) {
      message.authoritative = state !== "refused" && state !== "expired" && state !== "shut" && state !== "delegation";
      space.count?.(found, name, query.qtype);
    }
    trace?.({ kind: "lookup", name: nameOf(name), state, wildcard: found.wildcard, link: linkOf(space) });
    if ((found.rrset.flags & rrsetSteered) !== 0) state = steer(space, found, state, name, trace);
    const leadsOn = state === "cname" ? followCname(space, link) : state === "dname" && followDname(space, link);
    if (leadsOn && link + 1 < maxLinks && !isRepeated(chain, link + 1)) continue;
    if (state !== "cname" && state !== "dname") conclude(space, query, state, name, link);
    return;
  }
}

const nameOf = ({ octets, length }: NameKey) => octets.slice(0, length);

const linkOf = ({ image, found }: Workspace) => (found.isLinked ? nameOf(image.target) : undefined);

function load({ question, foresight }: Workspace, { packet, start }: Query): NameKey {
  const at = start + headerOctets;
  const foreseen = foresight?.take(packet, at);
  if (foreseen) return foreseen;
  question.load(packet, at);
  return question;
}

/** A chain that comes back to itself ends: the client has seen all of it. */
function isRepeated(chain: readonly NameKey[], link: number): boolean {
  for (let i = 0; i < link; i++) if (chain[i]!.sameFrom(0, chain[link]!, 0)) return true;
  return false;
}

function conclude(space: Workspace, query: Query, state: State, name: NameKey, link: number): void {
  const { message, found } = space;
  switch (state) {
    case "answer":
      answer(space, found.rrset, name);
      break;
    case "any":
      answer(space, rfc8482, name);
      break;
    case "alias":
      alias(space, query, name);
      break;
    case "delegation":
      delegate(space, found, name);
      break;
    case "nxdomain":
      message.rcode = Rcode.NXDOMAIN;
      deny(space, found, name);
      break;
    case "nodata":
      deny(space, found, name);
      break;
    case "expired":
    case "shut":
      if (link > 0) return;
      message.rcode = Rcode.SERVFAIL;
      message.opt.extendedError = ExtendedError.NOT_READY;
      break;
    default:
      // A chain that leaves our zones is whole as far as it goes
      if (link > 0) return;
      message.rcode = Rcode.REFUSED;
      message.opt.extendedError = ExtendedError.NOT_AUTHORITATIVE;
  }
}

function answer(space: Workspace, rrset: RrsetView, name: NameKey): void {
  const { message } = space;
  if (!message.add(Section.answer, rrset, name, 0, ownTtl)) message.truncated = true;
  else if ((rrset.flags & rrsetTarget) !== 0) addHosts(space, rrset);
}

function alias(space: Workspace, { qtype }: Query, name: NameKey): void {
  const outcome = answerAlias(space, qtype, name);
  if (outcome === "servfail") {
    space.message.rcode = Rcode.SERVFAIL;
    space.message.opt.extendedError = ExtendedError.NO_REACHABLE_AUTHORITY;
  } else if (outcome === "nodata") deny(space, space.found, name);
}

function delegate(space: Workspace, found: Found, name: NameKey): void {
  const { message } = space;
  if (message.add(Section.authority, found.rrset, name, found.label, ownTtl)) addGlue(space, found, name);
  else message.truncated = true;
}

/** RFC 2308 section 3: the SOA goes with every NODATA and NXDOMAIN, with the TTL that the denial may be kept for. */
function deny(space: Workspace, found: Found, name: NameKey): void {
  const { image, message, rrset } = space;
  space.denied = found.entry;
  image.find(apexOf(image, found, name), TypeCode.SOA, rrset);
  const ttl = Math.min(ttlOf(rrset), read32(rrset.octets, minimumAt(rrset.end)));
  // As it lies when there is room: to look for what its names share takes longer than the octets are worth
  const { flags } = rrset;
  rrset.flags = 0;
  if (message.add(Section.authority, rrset, name, found.apex, ttl)) return;
  rrset.flags = flags;
  if (!message.add(Section.authority, rrset, name, found.apex, ttl)) message.truncated = true;
}

/** The node of the apex, which a look-up of what is not there often ended at. */
function apexOf(image: ImageReader, { node, label, data, apex }: Found, name: NameKey): number {
  if (label === apex) return node;
  name.fold(data, apex);
  return image.findNode(data, name, apex, apex);
}
