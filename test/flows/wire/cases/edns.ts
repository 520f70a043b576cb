/** OPT records: their positions, versions, sizes and flags (RFC 6891). */
import { name, opt, option, packet, record } from "../../../scenarios/packet.ts";
import { ask, cases, formerrWithOpt, normal, type Reaction, withOpt, www } from "../case.ts";
import { apex } from "../zone.ts";

const size = (payload: number, text = `huge.${apex}`) => withOpt({ payload }, text);
const answered: Reaction = { ...normal, hasOpt: true, options: [] };
const badVersion: Reaction = { rcode: "BADVERS", hasOpt: true, answers: 0, flags: [] };
const truncated: Reaction = { rcode: "NOERROR", flags: ["aa", "tc"], hasOpt: true, answers: 0 };
const whole = { streams: { rcode: "NOERROR", flags: ["aa"], hasOpt: true, answers: 100 } };
/** RDLENGTH is nine octets too large. */
const cut = (parts?: { version: number }) => [...opt(parts).slice(0, -1), 9];
const formerr: Reaction = { rcode: "FORMERR", answers: 0 };
const cookie = option(10, new Array(8).fill(1));

export const edns = cases([
  ["version 1 is not supported", withOpt({ version: 1 }), badVersion],
  ["version 255 is not supported", withOpt({ version: 255 }), badVersion],
  ["two OPT are malformed", packet({ questions: [www], additionals: [opt(), opt()] }), formerr],
  ["an OPT whose owner is not the root is malformed", withOpt({ owner: name("a.") }), formerr],
  ["an OPT past the end of the message is malformed", packet({ questions: [www], additionals: [cut()] }), formerr],
  ["an option past the end of its OPT is malformed", withOpt({ options: [[0, 100, 0, 9, 1]] }), formerrWithOpt],
  ["three octets that are no option are malformed", withOpt({ options: [[0, 100, 0]] }), formerrWithOpt],
  ["an unknown option is ignored", withOpt({ options: [option(100, [])] }), answered],
  ["an unknown option of 400 octets is ignored", withOpt({ options: [option(100, new Array(400).fill(1))] }), answered],
  [
    "200 unknown options are ignored",
    withOpt({ options: Array.from({ length: 200 }, () => option(100, [])) }),
    answered,
  ],
  ["a payload size of 0 means 512", size(0), truncated, whole],
  ["a payload size of 511 means 512", size(511), truncated, whole],
  ["a payload size of 65,535 is reduced to our maximum", size(65535), truncated, whole],
  [
    "a payload size of 65,535 allows replies up to our maximum",
    size(65535, `large.${apex}`),
    { flags: ["aa"], answers: 60, hasOpt: true },
  ],
  [
    "a client without OPT gets at most 512 octets",
    ask(`large.${apex}`),
    { flags: ["aa", "tc"], answers: 0, hasOpt: false },
    { streams: { flags: ["aa"], answers: 60, hasOpt: false } },
  ],
  ["an OPT in the answer section is malformed", packet({ questions: [www], answers: [opt()] }), formerr],
  ["an OPT in the authority section is malformed", packet({ questions: [www], authorities: [opt()] }), formerr],
  ["reserved flags are ignored", withOpt({ flags: 0x7fff }), answered],
  [
    "CD is not returned with DO",
    packet({ flags: 0x10, questions: [www], additionals: [opt({ flags: 0x8000 })] }),
    answered,
  ],
  ["an extended RCODE in a query is ignored", withOpt({ extended: 255 }), answered],
  [
    "an unknown opcode with OPT is not implemented, and the reply has an OPT",
    packet({ flags: 0x7800, questions: [www], additionals: [opt()] }),
    { rcode: "NOTIMP", octets: 29, hasOpt: true, options: [0, 15, 0, 2, 0, 21] },
  ],
  [
    "an OPT without a question is malformed",
    packet({ additionals: [opt()] }),
    { rcode: "FORMERR", octets: 23, hasOpt: true },
  ],
  [
    "a cookie without a question is answered",
    packet({ additionals: [opt({ options: [cookie] })] }),
    { rcode: "NOERROR", octets: 51, answers: 0, authorities: 0, hasOpt: true },
  ],
  ["a cut OPT of version 1 is malformed", packet({ questions: [www], additionals: [cut({ version: 1 })] }), formerr],
  [
    "an OPT may come before another record",
    packet({ questions: [www], additionals: [opt(), record([0], 1, [1, 2, 3, 4])] }),
    answered,
  ],
  [
    "an OPT may come after another record",
    packet({ questions: [www], additionals: [record([0], 1, [1, 2, 3, 4]), opt()] }),
    answered,
  ],
]);
