/** Questions for generated zones, drawn by class, so that each way of answering is asked for often enough. */
import type { Draw } from "./draw.ts";
import { type Labels, wire, wireLength } from "./names.ts";
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
    return question(kind, owner, type[mnemonic as keyof typeof type], draw);
  };
  const any: Record<QueryClass, () => Query> = {
    existing: held,
    nodata: () => question(kind, spot("host"), draw.pick(types), draw),
    wildcard: () => question(kind, near(spot("wildcard")), draw.pick(types), draw),
    ent: () => question(kind, draw.chance(0.7) ? spot("ent") : near(spot("ent")), draw.pick(types), draw),
    nxdomain: () =>
      question(kind, [random(draw), ...draw.pick([zone.apex, spot("host"), spot("ent")])], draw.pick(types), draw),
    delegation: () => question(kind, draw.chance(0.5) ? spot("cut") : near(spot("cut")), draw.pick(types), draw),
    occluded: () =>
      question(kind, zone.spots.occluded.length > 0 ? spot("occluded") : spot("cut"), draw.pick(types), draw),
    dname: () => question(kind, draw.chance(0.4) ? spot("dname") : near(spot("dname")), draw.pick(types), draw),
    cname: () => question(kind, spot("cname"), draw.pick(types), draw),
    any: () =>
      question(
        kind,
        spot(draw.pick(Object.keys(zone.spots) as Spot[]).replace("occluded", "cut") as Spot),
        type.ANY,
        draw,
      ),
    case: () => any[draw.pick(queryClasses.filter((name) => name !== "case" && name !== "large"))](),
    large: () => question(kind, spot("large"), draw.pick([type.A, type.AAAA, type.TXT, type.MX, type.NS]), draw),
    deep: () => question(kind, draw.chance(0.5) ? spot("deep") : near(spot("deep")), draw.pick(types), draw),
    apex: () => question(kind, zone.apex, draw.pick(types), draw),
    refused: () => question(kind, draw.chance(0.3) ? spot("unserved") : near(spot("unserved")), draw.pick(types), draw),
  };
  return any[kind]();
}

const random = (draw: Draw) =>
  Array.from({ length: draw.number(1, 8) }, () => draw.pick([..."abcdefghxyz019-*"])).join("");

/** One to three labels more on the left. */
function deepen(name: Labels, draw: Draw): Labels {
  const deeper = [...Array.from({ length: draw.number(1, 3) }, () => random(draw)), ...name];
  return wireLength(deeper) > 255 ? name : deeper;
}

function question(kind: QueryClass, name: Labels, qtype: number, draw: Draw): Query {
  const qname = wire(name);
  if (kind === "case" || draw.chance(0.2)) flipCase(qname, draw);
  const header = Buffer.alloc(12);
  header.writeUInt16BE(draw.chance(0.5) ? 0x0100 : 0, 2); // RD
  header.writeUInt16BE(1, 4);
  const edns = draw.chance(0.6) ? optRecord(draw) : Buffer.alloc(0);
  header.writeUInt16BE(edns.length > 0 ? 1 : 0, 10);
  const tail = Buffer.alloc(4);
  tail.writeUInt16BE(qtype, 0);
  tail.writeUInt16BE(1, 2);
  return { class: kind, qtype, octets: Buffer.concat([header, qname, tail, edns]) };
}

function flipCase(qname: Buffer, draw: Draw) {
  let at = 0;
  while (qname[at]! > 0) {
    const end = at + 1 + qname[at]!;
    for (at++; at < end; at++) {
      const octet = qname[at]! & ~0x20;
      if (octet >= 0x41 && octet <= 0x5a && draw.chance(0.5)) qname[at] = qname[at]! ^ 0x20;
    }
  }
}

/** RFC 6891 §6.1.2, with a payload size and at times the DO bit. */
function optRecord(draw: Draw): Buffer {
  const opt = Buffer.alloc(11);
  opt.writeUInt16BE(41, 1);
  opt.writeUInt16BE(draw.pick([0, 512, 600, 900, 1232, 1400, 4096, 65_535]), 3);
  if (draw.chance(0.3)) opt.writeUInt16BE(0x8000, 7);
  return opt;
}
