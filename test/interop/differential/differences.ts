/** Every intended difference from the peer, with the RFC section that allows or demands it; ten at most. */
import type { Reply } from "../../dns/message.ts";
import type { Query } from "./queries.ts";

export interface Difference {
  readonly what: string;
  readonly rfc: string;
  readonly peer: string;
}

export interface ExplainedDifference extends Difference {
  /** Narrow: true for this difference and for no other fault in the same reply. Names come with their case folded. */
  readonly explains: (query: Query, ours: Reply, theirs: Reply) => boolean;
}

const peer = "NSD 4.6.1";

/** A difference that may accompany any other one. */
export const caseOfNames: Difference = {
  what: "names after the question keep the case of the zone's data; the peer gives them the case of the question",
  rfc: "RFC 4343 section 4.1",
  peer,
};

/** Applies if the peer has the RRset with which we answered: the comparison asks it for that type. */
export const minimalAny: Difference = {
  what: "ANY is answered with one RRset; the peer chooses in another way",
  rfc: "RFC 8482 section 4.1",
  peer,
};

/** Type of the one RRset that our answer to ANY shows and the peer's does not. */
export function chosenForAny(query: Query, ours: Reply, theirs: Reply): number | undefined {
  if (query.qtype !== 255 || !isSame({ ...ours, answer: [] }, { ...theirs, answer: [] })) return undefined;
  const shown = new Set(foldNames(theirs).answer);
  const only = foldNames(ours).answer.filter((record) => !shown.has(record));
  const types = new Set(only.map((record) => Number(/ TYPE(\d+) /.exec(record)?.[1])));
  return types.size === 1 ? [...types][0] : undefined;
}

export const differences: readonly ExplainedDifference[] = [
  {
    what: "a referral whose glue does not fit is truncated; the peer sends it without the glue",
    rfc: "RFC 9471 section 3.1",
    peer,
    explains: (_, ours, theirs) =>
      ours.truncated &&
      (ours.flags & ~truncation) === theirs.flags &&
      ours.rcode === theirs.rcode &&
      theirs.authority.length > 0 &&
      theirs.authority.every((record) => record.includes(" TYPE2 ")),
  },
  {
    what: "a name that keeps its case is not compressed against the question's: the reply may not fit where the peer's does",
    rfc: "RFC 4343 section 4.1",
    peer,
    explains: (_, ours, theirs) =>
      /[A-Z]/.test(nameAsked(ours)) &&
      ours.truncated &&
      (ours.flags & ~truncation) === theirs.flags &&
      (ours.rcode === theirs.rcode || ours.rcode === 0) &&
      theirs.answer.some((record) => / TYPE(5|39) /.test(record)),
  },
  {
    what: "a chain that is cut by truncation ends with NOERROR; the peer follows it to its end for the RCODE",
    rfc: "RFC 2181 section 9",
    peer,
    explains: (_, ours, theirs) =>
      ours.truncated &&
      ours.flags === theirs.flags &&
      ours.rcode === 0 &&
      theirs.rcode === 3 &&
      theirs.answer.some((record) => / TYPE(5|39) /.test(record)),
  },
  {
    what: "a question for CNAME below a DNAME is followed to the target; the peer ends with the synthesised CNAME",
    rfc: "RFC 6672 section 3.2 step 3.C",
    peer,
    explains: (query, ours, theirs) =>
      query.qtype === 5 &&
      (ours.flags & ~truncation) === theirs.flags &&
      theirs.rcode === 0 &&
      theirs.authority.length === 0 &&
      theirs.answer.some((record) => record.includes(" TYPE39 ")) &&
      theirs.answer.every((record) => ours.answer.includes(record)),
  },
];

const truncation = 0x0200;

/** RFC 2181 section 9: only the header of a truncated message is used. */
export function isSame(ours: Reply, theirs: Reply): boolean {
  if (ours.rcode !== theirs.rcode || ours.flags !== theirs.flags || ours.question !== theirs.question) return false;
  return ours.truncated || (sameSet(ours.answer, theirs.answer) && sameSet(ours.authority, theirs.authority));
}

const sameSet = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((record, index) => record === b[index]);

/** The reply with all names in lower case, except the queried name, whose case must be returned (0x20). */
export function foldNames(reply: Reply): Reply {
  const asked = nameAsked(reply);
  const fold = (records: readonly string[]) =>
    records
      .map((record) => {
        const [owner = "", ttl, type, ...rdata] = record.split(" ");
        const isAsked = owner.toLowerCase() === asked.toLowerCase();
        const folded = rdata.map((part) => part.toLowerCase());
        return [isAsked ? owner : owner.toLowerCase(), ttl, type, ...folded].join(" ");
      })
      .sort();
  return { ...reply, answer: fold(reply.answer), authority: fold(reply.authority) };
}

const nameAsked = (reply: Reply): string => reply.question.split(" ")[0] ?? "";
