/** The answer section: the CNAME chain from the question's name, and the RRset at its end. */
import { rdataFromApi } from "../../dns/rdata/codec.ts";
import { types } from "../../dns/types.ts";
import { ExtendedError, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import type { NameKey } from "../image/memory/key.ts";
import { rrsetSteered } from "../image/memory/layout.ts";
import { compose } from "../image/rrset/rrset.ts";
import { RrsetView } from "../image/rrset/view.ts";
import { type Found, lookup, type State } from "../lookup/lookup.ts";
import { answerAlias } from "./alias.ts";
import { applyFilters } from "./apply-filters.ts";
import { followCname, followDname } from "./cname-chain.ts";
import { ownTtl, Section } from "./message.ts";
import type { Trace } from "./trace.ts";
import { mostHops, type Workspace } from "./workspace.ts";

/** RFC 8482 section 4.2: a synthesized HINFO answers ANY when there is no RRset to show. */
const rfc8482 = RrsetView.of(compose(TypeCode.HINFO, 3600, [rdataFromApi(types.HINFO, ["RFC8482", ""])], 0));

/**
 * Adds the answer and sets AA, RCODE and extended error. Returns the state of the last name in the CNAME chain, which
 * decides the other sections; the name is left in `space.name`.
 */
export function addAnswer(space: Workspace, qtype: number, question: NameKey, trace: Trace | undefined): State {
  const { image, message, names, found } = space;
  names[0] = question;
  for (let hop = 0; ; hop++) {
    const name = names[hop]!;
    space.name = name;
    let state = lookup(image, name, qtype, found);
    // RFC 1035 section 4.1.1: AA applies to the first owner name of the answer
    if (hop === 0) {
      message.authoritative = isAuthoritative(state);
      space.asked = hashOf(found, name, qtype, state);
      space.count?.(found, name, qtype);
    }
    trace?.({ kind: "lookup", name: nameOf(name), state, wildcard: found.wildcard, link: linkOf(space) });
    if ((found.rrset.flags & rrsetSteered) !== 0) state = applyFilters(space, found, state, name, trace);
    const leadsOn = state === "cname" ? followCname(space, hop) : state === "dname" && followDname(space, hop);
    if (!leadsOn || hop + 1 === mostHops || isRepeated(names, hop + 1)) return conclude(space, qtype, state, hop);
  }
}

/** Tells a wildcard from the name above it, and a DNAME or zone cut from an answer at the same name. */
const synthesized = 0x5bd1e995;

/** Equal answers: by name and type; those from one wildcard or DNAME; and referrals to one zone, of every type. */
function hashOf({ wildcard, encloser, label }: Found, { folds }: NameKey, qtype: number, state: State): number {
  if (wildcard) return folds[encloser]! ^ qtype ^ synthesized;
  if (state === "dname") return folds[label]! ^ qtype ^ synthesized;
  return state === "delegation" ? folds[label]! ^ synthesized : folds[0]! ^ qtype;
}

const isAuthoritative = (state: State) =>
  state !== "refused" && state !== "expired" && state !== "shut" && state !== "delegation";

/** Adds the end of the chain: `space.name`, after `hops` CNAMEs and DNAMEs. */
function conclude(space: Workspace, qtype: number, state: State, hops: number): State {
  const { message, found } = space;
  switch (state) {
    case "answer":
      return addRrset(space, found.rrset, state);
    case "any":
      return addRrset(space, rfc8482, state);
    case "alias":
      return addAlias(space, qtype);
    case "nxdomain":
      message.rcode = Rcode.NXDOMAIN;
      return state;
    case "expired":
    case "shut":
      // after a CNAME, the reply is valid without the target
      if (hops === 0) message.rcode = message.opt.explain(ExtendedError.NOT_READY, Rcode.SERVFAIL);
      return state;
    case "refused":
      if (hops === 0) message.rcode = message.opt.explain(ExtendedError.NOT_AUTHORITATIVE, Rcode.REFUSED);
      return state;
    default:
      return state;
  }
}

function addRrset({ message, name }: Workspace, rrset: RrsetView, state: State): State {
  if (!message.add(Section.answer, rrset, name, 0, ownTtl)) message.truncated = true;
  return state;
}

function addAlias(space: Workspace, qtype: number): State {
  const { message, name } = space;
  const outcome = answerAlias(space, qtype, name);
  if (outcome === "nodata") return "nodata";
  if (outcome === "servfail") {
    message.rcode = message.opt.explain(ExtendedError.NO_REACHABLE_AUTHORITY, Rcode.SERVFAIL);
  }
  return "alias";
}

/** Whether the chain is back at an earlier name: it ends there, since the answer has the whole loop. */
function isRepeated(names: readonly NameKey[], hop: number): boolean {
  for (let i = 0; i < hop; i++) if (names[i]!.sameFrom(0, names[hop]!, 0)) return true;
  return false;
}

const nameOf = ({ octets, length }: NameKey) => octets.slice(0, length);

const linkOf = ({ image, found }: Workspace) => (found.isLinked ? nameOf(image.target) : undefined);
