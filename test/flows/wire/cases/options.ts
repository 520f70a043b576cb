/** Cookies (RFC 7873), client subnets (RFC 7871) and the other options, valid and invalid. */
import { TypeCode } from "../../../../src/dns/wire/constants.ts";
import { opt, option, packet, u16 } from "../../../scenarios/packet.ts";
import { cases, formerrWithOpt, normal, type Reaction, withOpt } from "../case.ts";
import { apex, nsid } from "../zone.ts";

const asking = (...options: (readonly number[])[]) => withOpt({ options });
const ignored: Reaction = { ...normal, hasOpt: true, options: [] };
/** Padded to a whole block (RFC 8467 section 4.1). */
const padded = { encrypted: { ...normal, hasOpt: true, octets: 468 } };
const keepalive = [...u16(11), 0, 2, 0, 100];
const identifier = option(3, Buffer.from(nsid));

const cookie = (...lengths: number[]) => asking(...lengths.map((length) => option(10, new Array(length).fill(7))));
const withCookie: Reaction = { ...normal, hasOpt: true, octets: 12 + 19 + 16 + 11 + 28 };

const ecs = (family: number, source: number, scope: number, address: readonly number[]) => [
  ...u16(family),
  source,
  scope,
  ...address,
];
const subnet = (...data: (readonly number[])[]) => asking(...data.map((each) => option(8, each)));
/** The reply at a name without steering: valid for all clients, so with scope 0. */
const echoed = (data: readonly number[]): Reaction => ({ ...normal, options: option(8, data) });
const v4 = ecs(1, 24, 0, [192, 0, 2]);
const v4Host = ecs(1, 32, 0, [192, 0, 2, 1]);
const v6 = ecs(2, 49, 0, [0x20, 1, 13, 0xb8, 0, 0, 0x80]);
const v6Host = ecs(2, 128, 0, [0x20, 1, 13, 0xb8, ...new Array(11).fill(0), 1]);
const noBits = ecs(1, 0, 0, []);
const noBits6 = ecs(2, 0, 0, []);
const noFamily = ecs(0, 0, 0, []);

export const options = cases([
  ["a client cookie is answered with a server cookie", cookie(8), withCookie],
  ["a wrong server cookie is answered with a fresh one", cookie(24), withCookie],
  ["a wrong server cookie of 32 octets is answered with a fresh one", cookie(40), withCookie],
  ["of two cookies the first is used", cookie(8, 3), withCookie],
  ...[7, 9, 15, 41, 0].map(
    (length) => [`a cookie of ${length} octets is malformed`, cookie(length), formerrWithOpt] as const,
  ),
  [
    "a malformed cookie without a question is malformed",
    packet({ additionals: [opt({ options: [option(10, [1])] })] }),
    formerrWithOpt,
  ],

  ["NSID is answered", asking(option(3, [])), { ...normal, options: identifier }],
  ["data in a query's NSID option are ignored", asking(option(3, [1, 2, 3])), { ...normal, options: identifier }],
  [
    "keepalive is for TCP and TLS",
    asking(option(11, [])),
    ignored,
    { streams: { ...normal, options: keepalive }, https: ignored },
  ],
  [
    "invalid data in a query's keepalive option are ignored",
    asking(option(11, [1])),
    ignored,
    { streams: { ...normal, options: keepalive }, https: ignored },
  ],
  [
    "a time in a query's keepalive option is ignored",
    asking(option(11, [0, 5])),
    ignored,
    { streams: { ...normal, options: keepalive }, https: ignored },
  ],
  ["padding is only for encrypted transports", asking(option(12, new Array(100).fill(0))), ignored, padded],
  ["4,000 octets of padding are ignored", asking(option(12, new Array(4000).fill(0))), ignored, padded],
  ["64,900 octets of padding are ignored", asking(option(12, new Array(64_900).fill(0))), ignored, padded],
  [
    "EXPIRE is ignored where we are primary",
    withOpt({ options: [option(9, [])] }, apex, TypeCode.SOA),
    { rcode: "NOERROR", answers: 1, options: [] },
  ],
  ["an extended error in a query is ignored", asking(option(15, [0, 3])), ignored],

  ["an IPv4 network is returned", subnet(v4), echoed(v4)],
  ["an IPv4 host is returned", subnet(v4Host), echoed(v4Host)],
  ["an IPv6 network is returned", subnet(v6), echoed(v6)],
  ["an IPv6 host is returned", subnet(v6Host), echoed(v6Host)],
  ["an IPv4 network with no bits is returned", subnet(noBits), echoed(noBits)],
  ["an IPv6 network with no bits is returned", subnet(noBits6), echoed(noBits6)],
  ["a network with family 0 is returned", subnet(noFamily), echoed(noFamily)],
  ["a network with family 3 is malformed", subnet(ecs(3, 24, 0, [1, 2, 3])), formerrWithOpt],
  ["33 bits are too many for IPv4", subnet(ecs(1, 33, 0, [1, 2, 3, 4, 0])), formerrWithOpt],
  ["129 bits are too many for IPv6", subnet(ecs(2, 129, 0, new Array(17).fill(0))), formerrWithOpt],
  ["a scope in a query is malformed", subnet(ecs(1, 24, 24, [192, 0, 2])), formerrWithOpt],
  ["an address with too few octets is malformed", subnet(ecs(1, 24, 0, [192, 0])), formerrWithOpt],
  ["an address with too many octets is malformed", subnet(ecs(1, 24, 0, [192, 0, 2, 0])), formerrWithOpt],
  ["bits after the prefix are malformed", subnet(ecs(1, 20, 0, [192, 0, 2])), formerrWithOpt],
  ["two octets are no network", subnet([0, 1]), formerrWithOpt],
  ["no octets are no network", subnet([]), formerrWithOpt],
  ["two networks are malformed", subnet(v4, v4), formerrWithOpt],
]);
