/** Types without data, types that UDP does not carry, and classes other than IN. */
import { TypeCode } from "../../../../src/dns/wire/constants.ts";
import { opt, packet, question, record } from "../../../scenarios/packet.ts";
import { ask, cases, nodata, type Reaction, type Row, refused } from "../case.ts";
import { apex } from "../zone.ts";

const type = (code: number) => ask(`www.${apex}`, code);
const oldSoa = record([0xc0, 12], TypeCode.SOA, [0, 0, 0, 0, 0, 1, ...new Array(16).fill(0)]);
const formerr: Reaction = { rcode: "FORMERR", flags: [], answers: 0 };

export const types = cases([
  ["the server's version is not revealed", ask("version.bind.", TypeCode.TXT, 3), refused],
  ["the server's name is not revealed in class CH", ask("id.server.", TypeCode.TXT, 3), refused],
  ...(
    [
      ["CH", 3],
      ["ANY", 255],
      ["NONE", 254],
      ["0", 0],
      ["65280, of private use,", 65280],
    ] as const
  ).map(([klass, code]): Row => [`our zone in class ${klass} is refused`, ask(apex, TypeCode.SOA, code), refused]),
  ["type 0 has no data", type(0), nodata],
  [
    "ANY has one RRset, which is truncated when it does not fit",
    ask(`huge.${apex}`, TypeCode.ANY),
    { rcode: "NOERROR", flags: ["aa", "tc"] },
    { streams: { rcode: "NOERROR", flags: ["aa"], answers: 100 } },
  ],
  ["ANY at the apex has one RRset", ask(apex, TypeCode.ANY), { rcode: "NOERROR", flags: ["aa"], answers: 1 }],
  [
    "AXFR is not implemented over UDP, and refused elsewhere",
    ask(apex, TypeCode.AXFR),
    { rcode: "NOTIMP", answers: 0 },
    { streams: refused },
  ],
  ["IXFR is refused to an unlisted client", ask(apex, TypeCode.IXFR), refused],
  [
    "IXFR with a serial is refused to an unlisted client",
    packet({ questions: [question(apex, TypeCode.IXFR)], authorities: [oldSoa] }),
    refused,
  ],
  ["OPT cannot be asked for", type(TypeCode.OPT), formerr],
  ["TSIG cannot be asked for", type(TypeCode.TSIG), formerr],
  ["TKEY cannot be asked for", type(TypeCode.TKEY), formerr],
  ["MAILB has no data", type(TypeCode.MAILB), nodata],
  ["MAILA has no data", type(TypeCode.MAILA), nodata],
  ["type 65535 has no data", type(65535), nodata],
  ["NXNAME cannot be asked for", type(TypeCode.NXNAME), { ...formerr, hasOpt: false }],
  [
    "NXNAME cannot be asked for, and the reply has an extended error",
    packet({ questions: [question(apex, TypeCode.NXNAME)], additionals: [opt()] }),
    { rcode: "FORMERR", options: [0, 15, 0, 2, 0, 30] },
  ],
  ["RRSIG has no data in a zone that is not signed", type(TypeCode.RRSIG), nodata],
  ["NSEC has no data in a zone that is not signed", type(TypeCode.NSEC), nodata],
  ["DS has no data at the apex", ask(apex, TypeCode.DS), nodata],
  ["DS has no data at a cut to a zone that is not signed", ask(`sub.${apex}`, TypeCode.DS), nodata],
]);
