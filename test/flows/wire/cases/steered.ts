/** Records whose chains lack facts or leave no answers, and the scope of their answers (RFC 7871). */
import { option, u16 } from "../../../scenarios/packet.ts";
import { type Case, type Reaction, withOpt } from "../case.ts";

export const steeredZone = "steered.lab";

/** The record of a case, in the API's form. */
export interface SteeredRecord {
  readonly domain: string;
  readonly type: "A";
  readonly filters: readonly { readonly filter: string; readonly config: object }[];
  readonly answers: readonly { readonly answer: readonly string[]; readonly meta: object }[];
}

const record = (label: string, filters: readonly string[], metas: readonly object[], config = {}): SteeredRecord => ({
  domain: `${label}.${steeredZone}`,
  type: "A",
  filters: filters.map((filter) => ({ filter, config })),
  answers: metas.map((meta, index) => ({ answer: [`192.0.2.${index + 1}`], meta })),
});

const fenced = { ip_prefixes: ["20.0.0.0/9", "30.1.2.0/28"] };

export const steeredRecords: readonly SteeredRecord[] = [
  record("down", ["up"], [{ up: false }, { up: false }]),
  record("unknown", ["up"], [{}, {}]),
  record("first", ["up", "select_first_n"], [{ up: false }, { up: true }, {}]),
  record("weightless", ["weighted_shuffle", "select_first_n"], [{ weight: 0 }, { weight: 0 }]),
  record("unweighed", ["weighted_shuffle"], [{}, {}]),
  record("unplaced", ["geotarget_latlong", "geotarget_country", "geotarget_regional"], [{}, {}]),
  record("nowhere", ["geofence_country", "geofence_regional", "netfence_asn"], [{ country: ["DE"] }, { asn: [64500] }]),
  record("unloaded", ["shed_load"], [{ loadavg: 9 }, {}], { metric: "loadavg" }),
  record("fenced", ["netfence_prefix"], [fenced, fenced]),
  record("mixed", ["netfence_prefix", "select_first_n"], [fenced, {}]),
];

const at = (label: string, ...ecs: readonly number[]) =>
  withOpt(ecs.length > 0 ? { options: [option(8, ecs)] } : {}, `${label}.${steeredZone}.`);
const v4 = (bits: number, ...octets: readonly number[]) => [...u16(1), bits, 0, ...octets];
const v6 = (bits: number, ...octets: readonly number[]) => [...u16(2), bits, 0, ...octets];
const answered = (answers: number): Reaction => ({ rcode: "NOERROR", flags: ["aa"], answers });
const none: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 0, authorities: 1 };
const scoped = (reaction: Reaction, ecs: readonly number[], scope: number): Reaction => ({
  ...reaction,
  options: option(
    8,
    ecs.map((octet, index) => (index === 3 ? scope : octet)),
  ),
});
const inside = v4(24, 20, 1, 2);
const host = v4(32, 30, 1, 2, 3);
const outside = v4(24, 200, 1, 2);
const hidden = v4(0);
const host6 = v6(128, 0x20, 1, 0xd, 0xb8, ...new Array(11).fill(0), 1);

export const steered: readonly Case[] = [
  { name: "when all answers are down, all are given", query: at("down"), wanted: answered(2) },
  { name: "without any value of `up`, all answers are given", query: at("unknown"), wanted: answered(2) },
  { name: "of the answers that are up, the first is given", query: at("first"), wanted: answered(1) },
  { name: "when every weight is 0, there is still an answer", query: at("weightless"), wanted: answered(1) },
  { name: "without weights, all answers are given", query: at("unweighed"), wanted: answered(2) },
  { name: "without places, all answers are given", query: at("unplaced"), wanted: answered(2) },
  { name: "without load or without watermarks, all answers are given", query: at("unloaded"), wanted: answered(2) },
  {
    name: "a client about whom nothing is known passes no fence, and gets no data",
    query: at("nowhere"),
    wanted: none,
  },
  {
    name: "when a chain leaves no answer, there is no data",
    query: at("fenced", ...outside),
    wanted: scoped(none, outside, 1),
  },
  {
    name: "the scope is as long as the prefix that decided",
    query: at("mixed", ...inside),
    wanted: scoped(answered(1), inside, 9),
  },
  {
    name: "the scope for one address is that of the prefix that decided",
    query: at("mixed", ...host),
    wanted: scoped(answered(1), host, 28),
  },
  {
    name: "the scope is 0 for a subnet with no bits",
    query: at("mixed", ...hidden),
    wanted: scoped(answered(1), hidden, 0),
  },
  {
    name: "the scope is 0 for an IPv6 address that meets IPv4 rules only",
    query: at("mixed", ...host6),
    wanted: scoped(answered(1), host6, 0),
  },
  {
    name: "the scope is 0 where nothing about the client is read",
    query: at("down", ...inside),
    wanted: scoped(answered(2), inside, 0),
  },
];
