/**
 * Sends the same questions to Fairlead and to NSD, and reports which answers differ, and which of these differ in a
 * known way.
 */

import { exchangeTcp, exchangeUdp } from "../../dns/exchange.ts";
import { parseReply, type Reply } from "../../dns/message.ts";
import { seededRandom } from "../../machine/random.ts";
import { startNsd } from "../nsd.ts";
import {
  caseOfNames,
  chosenForAny,
  type Difference,
  differences,
  foldNames,
  isSame,
  minimalAny,
} from "./differences.ts";
import { drawFrom } from "./draw.ts";
import { generateQueries, type Query, type QueryClass, queryClasses, withType } from "./queries.ts";
import { zoneFile } from "./zonefile.ts";
import { type GeneratedZone, generateZones } from "./zones.ts";

export interface Report {
  readonly queries: number;
  readonly classes: Readonly<Record<QueryClass, number>>;
  /** Questions that were asked again over TCP after a truncated reply. */
  readonly overTcp: number;
  /** Statistics of the peer's replies over UDP. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly known: ReadonlyMap<Difference, number>;
  /** Descriptions of the unexplained differences. */
  readonly unknown: readonly string[];
}

export const outcomes = ["answer", "nodata", "nxdomain", "yxdomain", "referral", "truncated", "refused"] as const;
export type Outcome = (typeof outcomes)[number];

/** Our side: the zones as they are served, and replies in the order of the queries. */
export interface Side {
  readonly zones: readonly GeneratedZone[];
  ask(queries: readonly Buffer[], transport: Transport): Promise<Buffer[]>;
}

type Transport = "udp" | "tcp";

export interface Settings {
  readonly seed: number;
  readonly queries: number;
  /** Hosts in each zone. */
  readonly size: number;
}

/** The number of questions that are asked at once over UDP. */
const askedAtOnce = 1000;
/** At most this many questions are asked again over TCP, since all use one connection, each with its own id. */
const mostOverTcp = 20_000;

/** Ends early after questions with an unexplained difference. */
export async function compareWithNsd(
  { seed, queries: count, size }: Settings,
  serve: (zones: readonly GeneratedZone[]) => Side | Promise<Side>,
): Promise<Report> {
  const draw = drawFrom(seededRandom(seed));
  const ours = await serve(generateZones(draw, size));
  const queries = generateQueries(ours.zones, draw, count);
  await using nsd = await startNsd(ours.zones.map(zoneFile));
  const theirs = (asked: readonly Buffer[], transport: Transport) =>
    transport === "udp" ? exchangeUdp(nsd.port, asked) : exchangeTcp(nsd.port, asked);
  const comparison = new Comparison(ours, theirs);

  const truncated: Query[] = [];
  for (let from = 0; from < queries.length && comparison.unknown.length === 0; from += askedAtOnce) {
    truncated.push(...(await comparison.run(queries.slice(from, from + askedAtOnce), "udp")));
  }
  const overTcp = truncated.slice(0, mostOverTcp);
  if (comparison.unknown.length === 0) await comparison.run(overTcp, "tcp");
  const classes = Object.fromEntries(
    queryClasses.map((name) => [name, queries.filter((query) => query.class === name).length]),
  ) as Record<QueryClass, number>;
  const { known, unknown } = comparison;
  return { queries: queries.length, classes, overTcp: overTcp.length, outcomes: comparison.outcomes, known, unknown };
}

interface AnyReply {
  readonly query: Query;
  readonly ours: Reply;
  readonly theirs: Reply;
  /** Type of the RRset with which we answered ANY. */
  readonly chosen: number;
}

class Comparison {
  readonly known = new Map<Difference, number>();
  readonly unknown: string[] = [];
  readonly outcomes = Object.fromEntries(outcomes.map((name) => [name, 0])) as Record<Outcome, number>;
  readonly #ours: Side;
  readonly #theirs: Side["ask"];

  constructor(ours: Side, theirs: Side["ask"]) {
    this.#ours = ours;
    this.#theirs = theirs;
    for (const difference of [caseOfNames, minimalAny, ...differences]) this.known.set(difference, 0);
  }

  /** Returns the queries that either side answered with TC. */
  async run(queries: readonly Query[], transport: Transport): Promise<Query[]> {
    const octets = queries.map((query) => query.octets);
    const ourReplies = await this.#ours.ask(octets, transport);
    const theirReplies = await this.#theirs(octets, transport);
    const truncated: Query[] = [];
    const any: AnyReply[] = [];
    for (const [index, query] of queries.entries()) {
      const ours = parseReply(ourReplies[index]!);
      const theirs = parseReply(theirReplies[index]!);
      if (ours.truncated || theirs.truncated) truncated.push(query);
      if (transport === "udp") this.outcomes[outcomeOf(theirs)]++;
      const chosen = chosenForAny(query, ours, theirs);
      if (chosen === undefined) this.#judge(query, ours, theirs);
      else any.push({ query, ours, theirs, chosen });
    }
    await this.#judgeAny(any);
    return truncated;
  }

  #judge(query: Query, ours: Reply, theirs: Reply) {
    if (isSame(ours, theirs)) return;
    const [our, their] = [foldNames(ours), foldNames(theirs)];
    const known = isSame(our, their) ? caseOfNames : differences.find(({ explains }) => explains(query, our, their));
    if (known) this.#count(known);
    else this.unknown.push(describe(query, ours, theirs));
  }

  /** The single RRset that we chose must equal the peer's answer to a question for its type. */
  async #judgeAny(replies: readonly AnyReply[]) {
    const asked = replies.map(({ query, chosen }) => withType(query, chosen).octets);
    const held = await this.#theirs(asked, "tcp");
    for (const [index, { query, ours, theirs }] of replies.entries()) {
      const same = foldNames(ours).answer.join() === foldNames(parseReply(held[index]!)).answer.join();
      if (same) this.#count(minimalAny);
      else this.unknown.push(describe(query, ours, theirs));
    }
  }

  #count(difference: Difference) {
    this.known.set(difference, this.known.get(difference)! + 1);
  }
}

function outcomeOf({ rcode, truncated, answer, authority, flags }: Reply): Outcome {
  if (truncated) return "truncated";
  if (rcode === 3) return "nxdomain";
  if (rcode === 5) return "refused";
  if (rcode === 6) return "yxdomain";
  if (answer.length > 0) return "answer";
  return authority.length > 0 && (flags & 0x0400) === 0 ? "referral" : "nodata";
}

const describe = (query: Query, ours: Reply, theirs: Reply) =>
  [
    `${query.class} ${ours.question} ${query.octets.toString("hex")}`,
    `  ours   ${show(ours)}`,
    `  theirs ${show(theirs)}`,
  ].join("\n");

const show = ({ rcode, flags, answer, authority }: Reply) =>
  `rcode ${rcode} flags ${flags.toString(16).padStart(4, "0")} answer [${answer.join(", ")}] authority [${authority.join(", ")}]`;
