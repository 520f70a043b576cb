/** Headers: messages that are not queries, opcodes, and meaningless flags (RFC 1035 section 4.1.1, RFC 8906). */
import { TypeCode } from "../../../../src/dns/wire/constants.ts";
import { packet, question } from "../../../scenarios/packet.ts";
import { bareFormerr, cases, normal, type Reaction, type Row, www } from "../case.ts";
import { apex } from "../zone.ts";

const opcodes = [
  ["IQUERY", 1],
  ["STATUS", 2],
  ["opcode 3, which is not assigned,", 3],
  ["UPDATE", 5],
  ["DSO", 6],
  ["opcode 15, which is not assigned,", 15],
] as const;

const ignored = [
  ["TC", 0x200],
  ["Z", 0x40],
  ["AA", 0x400],
  ["RA", 0x80],
  ["AD", 0x20],
  ["CD", 0x10],
  ["RCODE 15", 15],
] as const;

const notImplemented = ([name, opcode]: (typeof opcodes)[number]): Row[] => {
  const wanted: Reaction = { rcode: "NOTIMP", octets: 12, flags: [], opcode };
  const flags = opcode << 11;
  return [
    [
      `${name} with a question is not implemented, and only the opcode is returned`,
      packet({ flags, questions: [www] }),
      wanted,
    ],
    [`${name} without a question is not implemented`, packet({ flags }), wanted],
    [
      `${name} with every flag set is not implemented, and no flag is returned`,
      packet({ flags: flags | 0x07ff }),
      wanted,
    ],
  ];
};

export const header = cases([
  ["no octets at all are not answered", new Uint8Array(0), "silence"],
  ["one octet is not answered", Uint8Array.of(0), "silence"],
  ["eleven octets are not answered: there is no header", new Uint8Array(11), "silence"],
  ["a header that announces nothing is malformed", packet({}), bareFormerr],
  ["a header that announces a question but has none is malformed", packet({ counts: [1, 0, 0, 0] }), bareFormerr],
  ["a response is not answered", packet({ flags: 0x8000, questions: [www] }), "silence"],
  ["a reflected NXDOMAIN is not answered", packet({ flags: 0x8403, questions: [www] }), "silence"],
  ["a response with an unknown opcode is not answered", packet({ flags: 0xf800 }), "silence"],
  [
    "a response with an unknown opcode and every flag is not answered",
    packet({ flags: 0xffff, questions: [www] }),
    "silence",
  ],
  ...opcodes.flatMap(notImplemented),
  [
    "NOTIFY for a zone that we are primary of is refused",
    packet({ flags: 0x2400, questions: [question(apex, TypeCode.SOA)] }),
    { rcode: "REFUSED", opcode: 4 },
  ],
  [
    "NOTIFY for an unknown zone is refused",
    packet({ flags: 0x2400, questions: [question("other.", TypeCode.SOA)] }),
    { rcode: "REFUSED" },
  ],
  [
    "UPDATE of an unknown zone is not implemented either",
    packet({ flags: 0x2800, questions: [question("other.", TypeCode.SOA)] }),
    { rcode: "NOTIMP", octets: 12, flags: [], opcode: 5 },
  ],
  [
    "NOTIFY about a type other than SOA is malformed",
    packet({ flags: 0x2400, questions: [question(apex)] }),
    { rcode: "FORMERR" },
  ],
  ...ignored.map(
    ([flag, flags]): Row => [
      `${flag} in a query is ignored and not returned`,
      packet({ flags, questions: [www] }),
      normal,
    ],
  ),
  ["RD is returned, and RA is not set", packet({ flags: 0x100, questions: [www] }), { ...normal, flags: ["aa", "rd"] }],
  [
    "a query with every flag but QR gets only RD back",
    packet({ flags: 0x07ff, questions: [www] }),
    { ...normal, flags: ["aa", "rd"] },
  ],
]);
