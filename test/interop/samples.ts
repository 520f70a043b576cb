/** A record of every type that is served as written: in the API's form, and in a zone file's. */
import { typeNamed } from "../../src/dns/type-names.ts";

export interface Sample {
  /** Owner below the zone, and type. */
  readonly owner: string;
  readonly type: string;
  readonly answer: readonly (string | number)[];
  /** RDATA in a zone file, written by hand; for a type that NSD does not know, in the form of RFC 3597. */
  readonly text: string;
}

export const sampleZone = "types.example.com";

const hex32 = "0123456789abcdef".repeat(4);
const base64 = Buffer.from("a key of twenty-four octets".slice(0, 24)).toString("base64");

const rows: readonly (readonly [type: string, answer: Sample["answer"], text: string])[] = [
  ["A", ["192.0.2.1"], "192.0.2.1"],
  ["AAAA", ["2001:0db8:0:0:0:0:00ff:0001"], "2001:db8::ff:1"],
  ["AFSDB", [1, "afs.example.net."], "1 afs.example.net."],
  ["APL", ["1:192.0.2.0/24", "!2:2001:db8::/32"], "1:192.0.2.0/24 !2:2001:db8::/32"],
  ["CAA", [128, "issue", "ca.example.net; policy=ev"], '128 issue "ca.example.net; policy=ev"'],
  ["CERT", [1, 12345, 8, base64], `PKIX 12345 8 ${base64}`],
  ["CNAME", ["target.example.net."], "target.example.net."],
  ["CSYNC", [66, 3, "A NS AAAA"], "66 3 A NS AAAA"],
  ["DHCID", [base64], base64],
  ["DNAME", ["elsewhere.example.net."], "elsewhere.example.net."],
  ["DS", [60485, 13, 2, hex32], `60485 13 2 ${hex32}`],
  ["GPOS", ["-32.6882", "116.8652", "10.0"], "\\# 23 082d33322e36383832083131362e383635320431302e30"],
  ["HINFO", ["PDP-11/70", "UNIX V7"], '"PDP-11/70" "UNIX V7"'],
  ["HTTPS", [1, ".", "alpn=h2,h3 ipv4hint=192.0.2.1"], "1 . alpn=h2,h3 ipv4hint=192.0.2.1"],
  ["IPSECKEY", [10, 3, 2, "gw.example.net.", base64], `10 3 2 gw.example.net. ${base64}`],
  ["MX", [10, "mail.example.net."], "10 mail.example.net."],
  ["NAPTR", [100, 50, "s", "SIP+D2U", "", "_sip._udp.example.net."], '100 50 "s" "SIP+D2U" "" _sip._udp.example.net.'],
  ["NS", ["ns1.example.net."], "ns1.example.net."],
  ["OPENPGPKEY", [base64], base64],
  ["PTR", ["host.example.net."], "host.example.net."],
  ["RP", ["admin.example.net.", "text.example.net."], "admin.example.net. text.example.net."],
  ["SMIMEA", [3, 1, 1, hex32], `3 1 1 ${hex32}`],
  ["SPF", ["v=spf1 -all"], '"v=spf1 -all"'],
  ["SRV", [1, 2, 5060, "sip.example.net."], "1 2 5060 sip.example.net."],
  ["SSHFP", [4, 2, hex32], `4 2 ${hex32}`],
  [
    "SVCB",
    [16, "svc.example.net.", "mandatory=alpn alpn=h2 port=8443 ipv6hint=2001:db8::1"],
    "16 svc.example.net. mandatory=alpn alpn=h2 port=8443 ipv6hint=2001:db8::1",
  ],
  ["TLSA", [3, 1, 1, hex32], `3 1 1 ${hex32}`],
  ["TXT", ['quotes " and \\', "second; string"], '"quotes \\" and \\\\" "second; string"'],
  ["URI", [10, 1, "https://example.net/path?a=b"], '10 1 "https://example.net/path?a=b"'],
  ["AMTRELAY", [10, 1, 1, "203.0.113.15"], "\\# 6 0A81CB00710F"],
  ["AVC", ["app-name:WOLFGANG"], '"app-name:WOLFGANG"'],
  ["DLV", [60485, 13, 2, hex32], `60485 13 2 ${hex32}`],
  ["DOA", [1, 2, 3, "text/plain", "-"], "\\# 20 0000000100000002030A746578742F706C61696E"],
  ["DSYNC", ["CDS", "NOTIFY", 5359, "a.example."], "\\# 16 003B0114EF0161076578616D706C6500"],
  ["EID", ["1234ab"], "\\# 3 1234AB"],
  ["EUI48", ["00-00-5e-00-53-2a"], "00-00-5e-00-53-2a"],
  ["EUI64", ["00-00-5e-ef-10-00-00-2a"], "00-00-5e-ef-10-00-00-2a"],
  ["HIP", [2, "AABB", "AQID", "a.", "b.c."], "\\# 17 02020003AABB0102030161000162016300"],
  ["ISDN", ["150862028003217", "004"], '"150862028003217" "004"'],
  ["KEY", [512, 255, 1, base64], `512 255 1 ${base64}`],
  ["KX", [10, "kx.example.net."], "10 kx.example.net."],
  ["L32", [10, "10.1.2.0"], "10 10.1.2.0"],
  ["L64", [10, "2001:db8:1140:1000"], "10 2001:0db8:1140:1000"],
  ["LOC", ["42 21 54 N 71 6 18 W -24m 30m"], "42 21 54 N 71 6 18 W -24m 30m"],
  ["LP", [10, "l64.example.net."], "10 l64.example.net."],
  ["MB", ["m.example.net."], "m.example.net."],
  ["MG", ["m.example.net."], "m.example.net."],
  ["MINFO", ["a.example.net.", "b.example.net."], "a.example.net. b.example.net."],
  ["MR", ["m.example.net."], "m.example.net."],
  ["NID", [10, "0014:4fff:ff20:ee64"], "10 0014:4fff:ff20:ee64"],
  ["NIMLOC", ["1234"], "\\# 2 1234"],
  ["NINFO", ["a", "b c"], "\\# 6 016103622063"],
  ["NSAP", ["0x47.0005.80"], "0x47.0005.80"],
  ["NSAP-PTR", ["foo.example."], "\\# 13 03666F6F076578616D706C6500"],
  ["PX", [50, "net2.it.", "x400.it."], "50 net2.it. x400.it."],
  ["RESINFO", ["qnamemin"], "\\# 9 08716E616D656D696E"],
  ["RKEY", [0, 3, 1, "AQID"], "\\# 7 00000301010203"],
  ["RT", [10, "relay.example.net."], "10 relay.example.net."],
  ["TA", [60485, 5, 1, hex32.slice(0, 40)], `\\# 24 EC450501${hex32.slice(0, 40)}`],
  ["TALINK", ["a.b.", "c.d."], "\\# 10 01610162000163016400"],
  ["WALLET", ["BTC", "x"], "\\# 6 034254430178"],
  ["X25", ["311061700956"], '"311061700956"'],
  ["TYPE65280", ["\\# 4 0a000001"], "\\# 4 0a000001"],
];

/** NS is at the apex, since it would be a cut below; each other type has its own name. */
export const samples: readonly Sample[] = rows.map(([type, answer, text]) => ({
  owner: type === "NS" ? sampleZone : `${type.toLowerCase()}.${sampleZone}`,
  type,
  answer,
  text,
}));

/** The sample as lines of a zone file for NSD. */
export const zoneFileLine = ({ owner, type, text }: Sample, ttl: number): string =>
  `${owner}. ${ttl} IN ${text.startsWith("\\#") ? `TYPE${typeNamed(type)?.code}` : type} ${text}`;
