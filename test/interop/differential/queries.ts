/** Questions for generated zones, drawn by class, so that each kind of answer is requested often enough. */

import { question } from "../../dns/message.ts";
import { type Labels, wireLength } from "../../dns/names.ts";
import type { Draw } from "./draw.ts";
import type { GeneratedZone, Spot } from "./zones.ts";

export const queryClasses = [
  "existing",
  "nodata",
  "wildcard",
  "ent",
  "nxdomain",
  "delegation",
  "occluded",
  "dname",
  "cname",
  "any",
  "case",
  "large",
  "deep",
  "apex",
  "refused",
] as const;
export type QueryClass = (typeof queryClasses)[number];

export interface Query {
  readonly class: QueryClass;
  readonly qtype: number;
  /** The message, with the id 0. */
  readonly octets: Buffer;
}

const type = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  DNAME: 39,
  DS: 43,
  ANY: 255,
  CAA: 257,
};
const types = [
  type.A,
  type.NS,
  type.CNAME,
  type.SOA,
  type.PTR,
  type.MX,
  type.TXT,
  type.AAAA,
  type.SRV,
  type.DNAME,
  type.DS,
  type.CAA,
  65_280,
];

/** `count` different queries, the classes in turn. */
export function generateQueries(zones: readonly GeneratedZone[], draw: Draw, count: number): Query[] {
  const seen = new Set<string>();
  const queries: Query[] = [];
  for (let turn = 0; queries.length < count; turn++) {
    const query = drawQuery(queryClasses[turn % queryClasses.length]!, draw.pick(zones), draw);
    const octets = query.octets.toString("latin1");
    if (seen.has(octets)) continue;
    seen.add(octets);
    queries.push(query);
  }
  return queries;
}

function drawQuery(kind: QueryClass, zone: GeneratedZone, draw: Draw): Query {
  const spot = (name: Spot) => draw.pick(zone.spots[name]);
  const near = (name: Labels) => deepen(name, draw);
  const held = () => {
    const { owner, type: mnemonic } = draw.pick(zone.rrsets);
    return query(kind, owner, type[mnemonic as keyof typeof type], draw);
  };
  const any: Record<QueryClass, () => Query> = {
    existing: held,
    nodata: () => query(kind, spot("host"), draw.pick(types), draw),
    wildcard: () => query(kind, near(spot("wildcard")), draw.pick(types), draw),
    ent: () => query(kind, draw.chance(0.7) ? spot("ent") : near(spot("ent")), draw.pick(types), draw),
    nxdomain: () =>
      query(kind, [random(draw), ...draw.pick([zone.apex, spot("host"), spot("ent")])], draw.pick(types), draw),
    delegation: () => query(kind, draw.chance(0.5) ? spot("cut") : near(spot("cut")), draw.pick(types), draw),
    occluded: () => query(kind, spot(zone.spots.occluded.length > 0 ? "occluded" : "cut"), draw.pick(types), draw),
    dname: () => query(kind, draw.chance(0.4) ? spot("dname") : near(spot("dname")), draw.pick(types), draw),
    cname: () => query(kind, spot("cname"), draw.pick(types), draw),
    any: () => query(kind, spot(draw.pick(spotsOf(zone))), type.ANY, draw),
    case: () => any[draw.pick(queryClasses.filter((name) => name !== "case" && name !== "large"))](),
    large: () => query(kind, spot("large"), draw.pick([type.A, type.AAAA, type.TXT, type.MX, type.NS]), draw),
    deep: () => query(kind, draw.chance(0.5) ? spot("deep") : near(spot("deep")), draw.pick(types), draw),
    apex: () => query(kind, zone.apex, draw.pick(types), draw),
    refused: () => query(kind, draw.chance(0.3) ? spot("unserved") : near(spot("unserved")), draw.pick(types), draw),
  };
  return any[kind]();
}

const spotsOf = (zone: GeneratedZone) =>
  (Object.keys(zone.spots) as Spot[]).filter((name) => zone.spots[name].length > 0);

const random = (draw: Draw) =>
  Array.from({ length: draw.number(1, 8) }, () => draw.pick([..."abcdefghxyz019-*"])).join("");

/** The name with one to three more labels on the left; the name itself if that would be too long. */
function deepen(name: Labels, draw: Draw): Labels {
  const deeper = [...Array.from({ length: draw.number(1, 3) }, () => random(draw)), ...name];
  return wireLength(deeper) > 255 ? name : deeper;
}

function query(kind: QueryClass, name: Labels, qtype: number, draw: Draw): Query {
  const edns = { payload: draw.pick([0, 512, 600, 900, 1232, 1400, 4096, 65_535]), dnssecOk: draw.chance(0.3) };
  const octets = question(name, qtype, { rd: draw.chance(0.5), ...(draw.chance(0.6) ? { edns } : {}) });
  if (kind === "case" || draw.chance(0.2)) flipCase(octets, draw);
  return { class: kind, qtype, octets };
}

/** RFC 4343: letters of the question in any case mean the same. */
function flipCase(octets: Buffer, draw: Draw) {
  let at = 12;
  while (octets[at]! > 0) {
    const end = at + 1 + octets[at]!;
    for (at++; at < end; at++) {
      const letter = octets[at]! & ~0x20;
      if (letter >= 0x41 && letter <= 0x5a && draw.chance(0.5)) octets[at] = octets[at]! ^ 0x20;
    }
  }
}

/** The same query for another type. */
export function withType(query: Query, qtype: number): Query {
  const octets = Buffer.from(query.octets);
  let at = 12;
  while (octets[at]! > 0) at += 1 + octets[at]!;
  octets.writeUInt16BE(qtype, at + 1);
  return { ...query, qtype, octets };
}
