/** Questions: their number, invalid names, and other sections of a query (RFC 1035 section 4.1, RFC 9267, RFC 9619). */
import { TypeCode } from "../../../../src/dns/wire/constants.ts";
import { name, opt, packet, question, record } from "../../../scenarios/packet.ts";
import { ask, bareFormerr, cases, normal, www } from "../case.ts";
import { apex } from "../zone.ts";

const asQuestion = (octets: readonly number[]) => packet({ questions: [octets] });
const labels = (count: number, octets = 1) => [
  ...Array.from({ length: count }, () => [octets, ...new Array(octets).fill(97)]).flat(),
  0,
];
const long = "x".repeat(63);
const exactly255 = `${long}.${long}.${long}.${"y".repeat(61)}.`;
const inZone255 = `${long}.${long}.${long}.${"y".repeat(51)}.${apex}`;
const name256 = [...labels(3, 63).slice(0, -1), 62, ...new Array(62).fill(97), 0];
const address = (owner: readonly number[]) => record(owner, TypeCode.A, [1, 2, 3, 4]);
const back = [0xc0, 12];
const typeAndClass = [0, 1, 0, 1];

export const questions = cases([
  ["the same question twice is malformed", packet({ questions: [www, www] }), bareFormerr],
  ["two questions are malformed", packet({ questions: [www, question(apex)] }), bareFormerr],
  ["65,535 announced questions are malformed", packet({ counts: [65535, 0, 0, 0], questions: [www] }), bareFormerr],
  ["a name that is cut off is malformed", asQuestion([3, 119, 119]), bareFormerr],
  ["a question without type and class is malformed", asQuestion(name(`www.${apex}`)), bareFormerr],
  ["half a class is malformed", asQuestion([...name(`www.${apex}`), 0, 1, 0]), bareFormerr],
  ["a pointer to itself is no name", asQuestion([0xc0, 12, ...typeAndClass]), bareFormerr],
  ["a pointer forward is no name", asQuestion([0xc0, 20, ...typeAndClass, 0, 0, 0, 0]), bareFormerr],
  ["a label and a pointer back to it are no name", asQuestion([1, 97, 0xc0, 12, ...typeAndClass]), bareFormerr],
  ["a pointer into the header is no name", asQuestion([0xc0, 0, ...typeAndClass]), bareFormerr],
  ["half a pointer is no name", asQuestion([0xc0]), bareFormerr],
  ["a pointer past the end is no name", asQuestion([0xff, 0xff, ...typeAndClass]), bareFormerr],
  ["a label of type 01 is no name", asQuestion([0x41, 97, 0, ...typeAndClass]), bareFormerr],
  ["a label of type 10 is no name", asQuestion([0x80, 97, 0, ...typeAndClass]), bareFormerr],
  ["a name of 255 octets that is not ours is refused", ask(exactly255), { rcode: "REFUSED" }],
  [
    "a name of 255 octets in our zone does not exist, and the denial fits into 512 octets",
    ask(inZone255),
    { rcode: "NXDOMAIN", flags: ["aa"], authorities: 1 },
  ],
  ["127 labels are a name", asQuestion([...labels(127), ...typeAndClass]), { rcode: "REFUSED" }],
  ["128 labels are too long for a name", asQuestion([...labels(128), ...typeAndClass]), bareFormerr],
  ["256 octets are too long for a name", asQuestion([...name256, ...typeAndClass]), bareFormerr],
  ["401 octets in 200 labels are too long for a name", asQuestion([...labels(200), ...typeAndClass]), bareFormerr],
  [
    "an extra zero octet shifts type and class, and the query is refused",
    asQuestion([...name(`www.${apex}`), 0, ...typeAndClass]),
    { rcode: "REFUSED" },
  ],
  ["an answer in a query is ignored", packet({ questions: [www], answers: [address(back)] }), normal],
  ["an authority record in a query is ignored", packet({ questions: [www], authorities: [address(back)] }), normal],
  [
    "an additional address in a query is ignored",
    packet({ questions: [www], additionals: [address(name("a."))] }),
    normal,
  ],
  [
    "an announced but missing answer is malformed",
    packet({ counts: [1, 1, 0, 0], questions: [www] }),
    { rcode: "FORMERR" },
  ],
  [
    "an announced but missing authority record is malformed",
    packet({ counts: [1, 0, 1, 0], questions: [www] }),
    { rcode: "FORMERR" },
  ],
  [
    "an announced but missing additional record is malformed",
    packet({ counts: [1, 0, 0, 1], questions: [www] }),
    { rcode: "FORMERR" },
  ],
  [
    "a count of 65,535 additional records with only one present is malformed",
    packet({ counts: [1, 0, 0, 65535], questions: [www], additionals: [opt()] }),
    { rcode: "FORMERR" },
  ],
  ["octets after the message are not read", packet({ questions: [www], tail: [1, 2, 3, 4, 5, 6, 7, 8] }), normal],
  [
    "an OPT that is not announced is not read",
    packet({ counts: [1, 0, 0, 0], questions: [www], additionals: [opt()] }),
    { ...normal, hasOpt: false },
  ],
  [
    "the reply keeps the letter case of the question's name",
    ask("wWw.PrObE.lAb."),
    { ...normal, question: "wWw.PrObE.lAb. A" },
  ],
  ["NUL and space are ordinary octets in a label", ask(`a\\000\\032b.${apex}`), { rcode: "NXDOMAIN" }],
  ["a dot inside a label does not divide it", ask(`a\\.b.${apex}`), { rcode: "NXDOMAIN" }],
  [
    "the root's SOA is refused, without a referral upwards",
    ask(".", TypeCode.SOA),
    { rcode: "REFUSED", flags: [], octets: 17, authorities: 0 },
  ],
  [
    "the root's NS are refused, without a referral upwards",
    ask(".", TypeCode.NS),
    { rcode: "REFUSED", flags: [], octets: 17, authorities: 0 },
  ],
  [
    "a query for a zone that is not served is refused, in a reply as long as the query",
    ask("www.example.org."),
    { rcode: "REFUSED", flags: [], octets: 33 },
  ],
]);
