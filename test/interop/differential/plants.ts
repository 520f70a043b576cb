/** Constructs that are planted in a generated zone; each adds the names to ask for. */

import { absolute, type Labels, labels, print, wireLength } from "../../dns/names.ts";
import type { Draw } from "./draw.ts";
import type { GeneratedZone, Rrset } from "./zones.ts";

export function add(
  zone: GeneratedZone,
  draw: Draw,
  owner: Labels,
  type: string,
  answers: Rrset["answers"],
  oursOnly?: true,
) {
  const types = zone.types.get(print(owner)) ?? new Set();
  const taken = types.has(type) || types.has("CNAME") || (type === "CNAME" && types.size > 0);
  if (taken || wireLength(owner) > 255) return;
  zone.types.set(print(owner), types.add(type));
  zone.rrsets.push({ owner, type, ttl: draw.number(0, 86_400), answers, ...(oursOnly ? { oursOnly } : {}) });
}

/** One RRset of a type that a host may have, with one to four records. */
function addHostData(zone: GeneratedZone, draw: Draw, owner: Labels) {
  const target = () => absolute([draw.pick(["mail", "ns1", "missing", "www"]), ...zone.apex]);
  const make: Record<string, () => (string | number)[]> = {
    A: () => [draw.address()],
    AAAA: () => [draw.address6()],
    TXT: () => Array.from({ length: draw.number(1, 3) }, () => draw.text()),
    MX: () => [draw.number(0, 65_535), target()],
    SRV: () => [draw.number(0, 9), draw.number(0, 9), draw.number(0, 65_535), target()],
    CAA: () => [0, "issue", "ca.example.net"],
    PTR: () => [target()],
  };
  for (const type of draw.some(Object.keys(make), 3)) {
    const answers = Array.from({ length: draw.number(1, 4) }, () => make[type]!());
    add(zone, draw, owner, type, [...new Map(answers.map((answer) => [answer.join("\0"), answer])).values()]);
  }
}

const odd = ["a b", "a.b", "\0", "\xff\xfe", "@", "_tcp", "-", "$", '"', ";", "(x)", "\\"];

export function plantHosts(zone: GeneratedZone, draw: Draw, size: number) {
  for (let n = 0; n < size; n++) {
    const depth = draw.pick([1, 1, 1, 2, 3, 5]);
    const inner = Array.from({ length: depth }, (_, level) => (level === 0 ? `h${n}` : `e${draw.number(0, 40)}`));
    const owner = [...inner, ...zone.apex];
    addHostData(zone, draw, owner);
    zone.spots.host.push(owner);
    for (let cut = 1; cut < depth; cut++) zone.spots.ent.push(owner.slice(cut));
  }
  for (const label of odd) {
    addHostData(zone, draw, [label, ...zone.apex]);
    zone.spots.host.push([label, ...zone.apex]);
  }
}

export function plantWildcards(zone: GeneratedZone, draw: Draw) {
  for (let n = 0; n < 12; n++) {
    const base = [`w${n}`, ...zone.apex];
    if (n % 4 === 3) add(zone, draw, ["*", ...base], "CNAME", [[absolute(draw.pick(zone.spots.host))]]);
    else addHostData(zone, draw, ["*", ...base]);
    if (n % 3 === 0) addHostData(zone, draw, base);
    if (n % 2 === 0) addHostData(zone, draw, ["leaf", "ent", ...base]);
    if (n % 4 === 1) addHostData(zone, draw, ["below", "*", ...base]);
    zone.spots.wildcard.push(base, ["*", ...base], ["x", "y", ...base]);
    zone.spots.ent.push(["ent", ...base], ["x", "ent", ...base], ["*", ...base], base);
  }
}

/** Cuts with glue, with occluded data, below empty non-terminals, and one below another. */
export function plantCuts(zone: GeneratedZone, draw: Draw) {
  for (let n = 0; n < 12; n++) {
    const cut = [...(n % 3 === 2 ? [`d${n}`, "between"] : [`d${n}`]), ...zone.apex];
    delegate(zone, draw, cut);
    if (n % 2 === 0) {
      for (const inner of [["www"], ["deep", "www"], ["*"], []]) addHostData(zone, draw, [...inner, ...cut]);
      add(zone, draw, ["sub", ...cut], "NS", [["ns.elsewhere.example."]]);
      add(zone, draw, ["alias", ...cut], "CNAME", [[absolute(zone.apex)]]);
      zone.spots.occluded.push(
        ...[["www"], ["deep", "www"], ["a", "sub"], ["alias"], []].map((inner) => [...inner, ...cut]),
      );
    }
    if (n % 4 === 0) add(zone, draw, ["dn", ...cut], "DNAME", [["elsewhere.example."]]);
  }
}

export function delegate(zone: GeneratedZone, draw: Draw, cut: Labels) {
  add(zone, draw, cut, "NS", [[absolute(["ns", ...cut])], [absolute(["ns2", ...cut])], ["ns.elsewhere.example."]]);
  add(zone, draw, ["ns", ...cut], "A", [[draw.address()], [draw.address()]]);
  add(zone, draw, ["ns2", ...cut], "AAAA", [[draw.address6()]]);
  if (draw.chance(0.5)) add(zone, draw, cut, "DS", [[draw.number(0, 65_535), 13, 2, "ab".repeat(32)]]);
  zone.spots.cut.push(cut, ["ns", ...cut], ["a", "b", ...cut]);
}

export function plantDnames(zone: GeneratedZone, draw: Draw, zones: readonly GeneratedZone[]) {
  for (let n = 0; n < 10; n++) {
    const owner = [...(n % 3 === 2 ? [`dn${n}`, "between"] : [`dn${n}`]), ...zone.apex];
    const other = draw.pick(zones).apex;
    const targets = [
      ["e1", ...zone.apex],
      ["w1", ...zone.apex],
      other,
      labels("elsewhere.example"),
      ["x".repeat(63), "y".repeat(63), "z".repeat(63), "q".repeat(30), ...zone.apex],
      [`dn${(n + 1) % 10}`, ...zone.apex],
      ["d0", ...zone.apex],
    ];
    add(zone, draw, owner, "DNAME", [[absolute(targets[n % targets.length]!)]]);
    if (n % 2 === 0) addHostData(zone, draw, owner);
    if (n % 3 === 0) add(zone, draw, ["hidden", ...owner], "A", [[draw.address()]], true);
    zone.spots.dname.push(owner, ["hidden", ...owner], ["h1", ...owner], ["x", "h2", ...owner]);
  }
}

/** Chains with every end: data, nothing, a wildcard, a cut, a DNAME, another zone, a foreign name, and circles. */
export function plantCnames(zone: GeneratedZone, draw: Draw, zones: readonly GeneratedZone[]) {
  const other = () => draw.pick(zones);
  const ends = (): Labels[] => [
    draw.pick(zone.spots.host),
    ["missing", ...zone.apex],
    ["any", "w1", ...zone.apex],
    ["any", "w3", ...zone.apex],
    draw.pick(zone.spots.cut),
    draw.pick(zone.spots.dname),
    draw.pick(zone.spots.ent),
    draw.pick(other().spots.host),
    ["missing", ...other().apex],
    ["c0-0", ...other().apex],
    labels("www.elsewhere.example"),
    zone.apex,
  ];
  for (const [n, end] of ends().entries()) {
    const length = draw.number(1, 6);
    for (let step = 0; step < length; step++) {
      const next = step + 1 < length ? [`c${n}-${step + 1}`, ...zone.apex] : end;
      add(zone, draw, [`c${n}-${step}`, ...zone.apex], "CNAME", [[absolute(next)]]);
      zone.spots.cname.push([`c${n}-${step}`, ...zone.apex]);
    }
  }
  const loop = (n: number): Labels => [`loop${n}`, ...zone.apex];
  for (const [from, to] of [
    [0, 0],
    [1, 2],
    [2, 3],
    [3, 1],
  ] as const) {
    add(zone, draw, loop(from), "CNAME", [[absolute(loop(to))]]);
    zone.spots.cname.push(loop(from));
  }
}

export function plantLarge(zone: GeneratedZone, draw: Draw) {
  const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
  const large = (label: string): Labels => [label, ...zone.apex];
  const sets: [label: string, type: string, answers: Rrset["answers"]][] = [
    ["many", "A", many(100, (n) => [`198.51.100.${n}`])],
    ["many", "TXT", many(20, (n) => [`${n}`.padEnd(250, "x")])],
    ["many", "MX", many(60, (n) => [n, absolute([`mx${n}`, ...zone.apex])])],
    ["middle", "A", many(40, (n) => [`198.51.100.${n}`])],
    ["middle", "AAAA", many(40, (n) => [`2001:db8::${(n + 1).toString(16)}`])],
    ["wide", "NS", many(30, (n) => [absolute([`ns${n}`, "wide", ...zone.apex])])],
  ];
  for (const [label, type, answers] of sets) add(zone, draw, large(label), type, answers);
  for (let n = 0; n < 30; n++) add(zone, draw, [`ns${n}`, "wide", ...zone.apex], "A", [[draw.address()]]);
  zone.spots.large.push(large("many"), large("middle"), ["a", ...large("wide")]);
}

/** Names of the greatest length and the greatest number of labels. */
export function plantDeep(zone: GeneratedZone, draw: Draw) {
  const long = stretch(zone.apex, () => "l".repeat(63));
  const narrow = stretch(zone.apex, () => draw.pick(["a", "b"]));
  for (const owner of [long, narrow]) {
    add(zone, draw, owner, "A", [[draw.address()]]);
    zone.spots.deep.push(owner, owner.slice(1), owner.slice(2), ["x", ...owner.slice(2)], ["n", ...owner.slice(3)]);
  }
}

/** Adds labels on the left until 255 octets are reached exactly or one octet short. */
function stretch(apex: Labels, label: () => string): Labels {
  let name = apex;
  while (wireLength(name) < 254) name = [label().slice(0, 254 - wireLength(name)), ...name];
  return name;
}
