/** Existing and missing names, wildcards, zone cuts, and aliases, whose chains are bounded. */
import { TypeCode } from "../../../../src/dns/wire/constants.ts";
import { ask, cases, nodata, withOpt } from "../case.ts";
import { apex } from "../zone.ts";

const at = (name: string, type?: number) => ask(`${name}.${apex}`, type);
const labels59 = Array.from({ length: 4 }, () => "x".repeat(59)).join(".");
const chain = (answers: number) => ({ rcode: "NOERROR", flags: ["aa"], answers, authorities: 0 });
const large = (answers: number) => ({ rcode: "NOERROR", flags: ["aa"], answers });
const truncated = { rcode: "NOERROR", flags: ["aa", "tc"], answers: 0 };
const referral = { rcode: "NOERROR", flags: [], answers: 0, authorities: 1 };
const nxdomain = { rcode: "NXDOMAIN", flags: ["aa"], answers: 0, authorities: 1 };

export const names = cases([
  ["an empty non-terminal exists, without data", at("b.ent"), nodata],
  ["below a cut there is a referral", at("x.sub"), referral],
  ["a wildcard can be asked for by its own name", at("*.wild", TypeCode.TXT), chain(1)],
  ["a wildcard matches names that do not exist", at("x.y.wild", TypeCode.TXT), chain(1)],
  ["a wildcard does not match a name that exists with another type", at("named.wild", TypeCode.TXT), nodata],
  ["a wildcard does not match names below an existing name", at("x.named.wild", TypeCode.TXT), nxdomain],
  ["a wildcard does not match names below a cut", at("x.cut.wild", TypeCode.TXT), referral],
  ["a wildcard below an empty non-terminal matches names there", at("x.b.void", TypeCode.TXT), chain(1)],
  ["a wildcard below an empty non-terminal does not match its siblings", at("x.void", TypeCode.TXT), nxdomain],
  ["an asterisk in the middle of a name is an ordinary label", at("a.*.middle"), chain(1)],
  ["an empty wildcard matches names that do not exist, without data", at("x.y.middle"), nodata],
  [
    "a name below a DNAME is an alias of the name that the DNAME makes",
    at("x.d"),
    { rcode: "NXDOMAIN", answers: 2, authorities: 1 },
  ],
  [
    "a DNAME can make a name of 255 octets",
    withOpt({}, `${labels59.slice(0, -3)}.d.${apex}`),
    { rcode: "NXDOMAIN", answers: 2, authorities: 1 },
  ],
  ["a DNAME that would make too long a name is YXDOMAIN", at(`${labels59}.d`), { rcode: "YXDOMAIN", answers: 1 }],
  ["two CNAMEs in a circle are each answered once", at("left"), chain(2)],
  ["a CNAME to itself is answered once", at("self"), chain(1)],
  ["a wildcard CNAME to itself is answered twice: for the name and for its target", at("b.round"), chain(2)],
  ["two DNAMEs in a circle are each answered once, with the CNAMEs that they make", at("a.to"), chain(4)],
  [
    "a DNAME that makes names longer and longer is followed within a bound",
    at("a.grow"),
    { rcode: "NOERROR", flags: ["aa"], answers: 17 },
  ],
  ["of 41 CNAMEs the first sixteen are answered", at("link0"), chain(16), { streams: chain(16) }],
  [
    "the addresses of 55 mail hosts are left out if they do not fit",
    withOpt({}, `mail.${apex}`, TypeCode.MX),
    large(55),
  ],
  ["a large RRset is truncated over UDP, and complete elsewhere", at("large"), truncated, { streams: large(60) }],
  [
    "an RRset above our maximum is truncated over UDP for any payload size",
    withOpt({ payload: 65535 }, `huge.${apex}`),
    truncated,
    { streams: large(100) },
  ],
  ["an ALIAS has the addresses of its target", at("near"), chain(1)],
  [
    "an ALIAS to a hundred addresses is truncated over UDP like the addresses themselves",
    at("many"),
    truncated,
    { streams: large(100) },
  ],
  ["an ALIAS to itself is SERVFAIL, within a bound", at("mirror"), { rcode: "SERVFAIL", answers: 0 }],
  ["an ALIAS that leads below a cut is SERVFAIL", at("far"), { rcode: "SERVFAIL", answers: 0 }],
]);
