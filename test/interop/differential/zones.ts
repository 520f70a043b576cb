/** Zones made from a seed: every construct that changes how a name server answers, with the names to ask for. */
import type { ZoneState } from "../../../src/sync/change.ts";
import { absolute, type Labels, labels, print } from "../../dns/names.ts";
import type { Draw } from "./draw.ts";
import {
  add,
  delegate,
  plantCnames,
  plantCuts,
  plantDeep,
  plantDnames,
  plantHosts,
  plantLarge,
  plantWildcards,
} from "./plants.ts";

export interface Rrset {
  readonly owner: Labels;
  readonly type: string;
  readonly ttl: number;
  /** RDATA as the API takes it; names are absolute with their final dot. */
  readonly answers: readonly (readonly (string | number)[])[];
  /** Data that NSD refuses to load; a correct server never shows them. */
  readonly oursOnly?: true;
}

/** The constructs for which names are planted; questions are drawn from those names. */
export type Spot =
  | "host"
  | "wildcard"
  | "ent"
  | "cut"
  | "occluded"
  | "dname"
  | "cname"
  | "large"
  | "deep"
  | "apex"
  | "unserved";

export interface GeneratedZone {
  readonly apex: Labels;
  readonly state: ZoneState;
  readonly serial: number;
  readonly rrsets: Rrset[];
  /** Types at each owner, so that none is planted twice. */
  readonly types: Map<string, Set<string>>;
  readonly spots: Readonly<Record<Spot, Labels[]>>;
}

/** The zones that are served: siblings, a child on the same server with and without delegation, an apex far down, a TLD. */
const apexes = [
  "alpha.test",
  "child.alpha.test",
  "beta.test",
  "orphan.beta.test",
  "gamma.example",
  "delta.example",
  "2.0.192.in-addr.arpa",
  "v.w.x.y.z.deep.example",
  "zz",
];

export function generateZones(draw: Draw, size: number): GeneratedZone[] {
  const zones = apexes.map((apex, index) => emptyZone(draw, labels(apex), index));
  for (const zone of zones) {
    plantHosts(zone, draw, size);
    plantWildcards(zone, draw);
    plantCuts(zone, draw);
    plantDnames(zone, draw, zones);
    plantLarge(zone, draw);
    plantDeep(zone, draw);
  }
  delegate(zones[0]!, draw, zones[1]!.apex);
  // NSD keeps one tree of names for all zones, so glue whose name the child zone lacks would exist in the child
  add(zones[1]!, draw, ["ns", ...zones[1]!.apex], "A", [[draw.address()]]);
  add(zones[4]!, draw, ["*", ...zones[4]!.apex], "A", [[draw.address()]]);
  add(zones[5]!, draw, zones[5]!.apex, "DNAME", [[absolute(zones[2]!.apex)]]);
  for (const zone of zones) plantCnames(zone, draw, zones);
  hideBelowApexDname(zones[5]!);
  return zones;
}

function emptyZone(draw: Draw, apex: Labels, index: number): GeneratedZone {
  const name = print(apex);
  const state: ZoneState = {
    id: (index + 1).toString(16).padStart(24, "0"),
    account_id: "0".repeat(24),
    zone: name,
    view: "",
    ttl: draw.number(1, 86_400),
    refresh: draw.number(1, 86_400),
    retry: draw.number(1, 86_400),
    expiry: draw.number(1, 2_419_200),
    nx_ttl: draw.number(0, 86_400),
    hostmaster: `hostmaster@${name}`,
    primary_master: `ns1.${name}`,
    networks: [0],
    disabled: false,
  };
  const spots: Record<Spot, Labels[]> = {
    host: [],
    wildcard: [],
    ent: [],
    cut: [],
    occluded: [],
    dname: [],
    cname: [],
    large: [],
    deep: [],
    apex: [apex],
    unserved: ["com", "unserved.test", "a.unserved.test", "example", "arpa", "test", "", "xzz"].map(labels),
  };
  const zone = { apex, state, serial: draw.number(1, 0xffffffff), rrsets: [], types: new Map(), spots };
  add(zone, draw, apex, "NS", [[`ns1.${name}.`], [`ns2.${name}.`], ["ns.elsewhere.example."]]);
  add(zone, draw, ["ns1", ...apex], "A", [[draw.address()]]);
  add(zone, draw, ["ns2", ...apex], "AAAA", [[draw.address6()]]);
  add(zone, draw, apex, "MX", [
    [10, `mail.${name}.`],
    [20, "mail.elsewhere.example."],
  ]);
  add(zone, draw, apex, "TXT", [["v=spf1 -all"]]);
  return zone;
}

/**
 * RFC 6672 section 2.4: records at names below a DNAME are never shown; with a DNAME at the apex, these are the records
 * at all other names of the zone.
 */
function hideBelowApexDname(zone: GeneratedZone) {
  zone.rrsets.splice(
    0,
    zone.rrsets.length,
    ...zone.rrsets.map(
      (rrset): Rrset => (rrset.owner.length > zone.apex.length ? { ...rrset, oursOnly: true } : rrset),
    ),
  );
}
