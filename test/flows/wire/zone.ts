/** A zone with an example of everything that a query can find. */

export const zone = "probe.lab";
export const apex = "probe.lab.";
/** The NSID of the servers. */
export const nsid = "probe";

const times = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, i) => line(i));

/** One record a line, names relative to the zone. */
export const lines: readonly string[] = [
  "@ 300 NS ns1.probe.lab.",
  "ns1 300 A 192.0.2.1",
  "www 300 A 192.0.2.10",
  "*.wild 300 TXT wild",
  "named.wild 300 A 192.0.2.13",
  "cut.wild 300 NS ns.cut.wild",
  "ns.cut.wild 300 A 192.0.2.14",
  "*.b.void 300 TXT void",
  "a.*.middle 300 A 192.0.2.15",
  "a.b.ent 300 A 192.0.2.11",
  "sub 300 NS ns.sub.probe.lab.",
  "ns.sub 300 A 192.0.2.12",
  "d 300 DNAME target.probe.lab.",
  "left 300 CNAME right",
  "right 300 CNAME left",
  "self 300 CNAME self",
  "*.round 300 CNAME a.round",
  "to 300 DNAME fro",
  "fro 300 DNAME to",
  "grow 300 DNAME x.grow",
  "near 60 ALIAS www.probe.lab.",
  "many 300 ALIAS huge.probe.lab.",
  "mirror 300 ALIAS mirror.probe.lab.",
  "far 300 ALIAS x.sub.probe.lab.",
  ...times(41, (i) => `link${i} 300 CNAME link${i + 1}`),
  ...times(55, (i) => `mail 300 MX ${i} mx${i}`),
  ...times(55, (i) => `mx${i} 300 A 203.0.113.${i}`),
  ...times(60, (i) => `large 300 A 192.0.2.${i}`),
  ...times(100, (i) => `huge 300 A 198.51.100.${i}`),
];
