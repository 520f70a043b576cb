/** OPT records and options, sound and not: sizes, versions, cookies, client subnets. */
import { describe, expect, test } from "vitest";
import { parseAnswer } from "../../test/scenarios/image.ts";
import { name, opt, option, packet, record, u16 } from "../../test/scenarios/packet.ts";
import {
  apex,
  ask,
  formerrWithOpt,
  image,
  normal,
  type Reaction,
  react,
  rows,
  withOpt,
  www,
} from "../../test/scenarios/probe.ts";

describe("EDNS", () => {
  const size = (payload: number, text = `huge.${apex}`) => withOpt({ payload }, text);
  const answered: Reaction = { ...normal, hasOpt: true, options: [] };
  rows([
    ["version 1", withOpt({ version: 1 }), { rcode: "BADVERS", hasOpt: true, answers: 0, flags: [] }],
    ["version 255", withOpt({ version: 255 }), { rcode: "BADVERS", hasOpt: true, answers: 0, flags: [] }],
    ["two OPT", packet({ questions: [www], additionals: [opt(), opt()] }), { rcode: "FORMERR" }],
    ["an OPT that is not the root's", withOpt({ owner: name("a.") }), { rcode: "FORMERR" }],
    [
      "RDLEN past the packet",
      packet({ questions: [www], additionals: [[...opt().slice(0, -1), 9]] }),
      { rcode: "FORMERR" },
    ],
    ["an option past RDLEN", withOpt({ options: [[0, 100, 0, 9, 1]] }), formerrWithOpt],
    ["three stray octets", withOpt({ options: [[0, 100, 0]] }), formerrWithOpt],
    ["an unknown option, empty", withOpt({ options: [option(100, [])] }), answered],
    ["an unknown option of 400 octets", withOpt({ options: [option(100, new Array(400).fill(1))] }), answered],
    ["size 0, large answer", size(0), { rcode: "NOERROR", flags: ["aa", "tc"], hasOpt: true, answers: 0 }],
    ["size 511, large answer", size(511), { rcode: "NOERROR", flags: ["aa", "tc"], hasOpt: true, answers: 0 }],
    ["size 65535, answer above our limit", size(65535), { flags: ["aa", "tc"], hasOpt: true, answers: 0 }],
    ["size 65535, answer below it", size(65535, `large.${apex}`), { flags: ["aa"], answers: 60, hasOpt: true }],
    ["a large answer without EDNS", ask(`large.${apex}`), { flags: ["aa", "tc"], answers: 0, hasOpt: false }],
    ["an OPT in the answer section", packet({ questions: [www], answers: [opt()] }), { rcode: "FORMERR" }],
    ["an OPT in the authority section", packet({ questions: [www], authorities: [opt()] }), { rcode: "FORMERR" }],
    ["all reserved flags", withOpt({ flags: 0x7fff }), answered],
    ["an extended RCODE", withOpt({ extended: 255 }), answered],
    [
      "an unknown opcode with OPT",
      packet({ flags: 0x7800, questions: [www], additionals: [opt()] }),
      { rcode: "NOTIMP", octets: 29, hasOpt: true, options: [0, 15, 0, 2, 0, 21] },
    ],
    ["no question, an OPT", packet({ additionals: [opt()] }), { rcode: "FORMERR", octets: 23, hasOpt: true }],
    [
      "no question, a cookie",
      packet({ additionals: [opt({ options: [option(10, new Array(8).fill(1))] })] }),
      { rcode: "NOERROR", octets: 51, answers: 0, authorities: 0, hasOpt: true },
    ],
    [
      "version 1 and a bad RDLEN",
      packet({ questions: [www], additionals: [[...opt({ version: 1 }).slice(0, -1), 9]] }),
      { rcode: "FORMERR" },
    ],
    ["a record after OPT", packet({ questions: [www], additionals: [opt(), record([0], 1, [1, 2, 3, 4])] }), answered],
    ["200 empty options", withOpt({ options: Array.from({ length: 200 }, () => option(100, [])) }), answered],
    ["4,000 octets of padding", withOpt({ options: [option(12, new Array(4000).fill(0))] }), answered],
  ]);

  test("DO comes back, nothing else of the flags does, and the payload is ours", () => {
    const reply = parseAnswer(image.send(withOpt({ flags: 0xffff, payload: 4096 }))!);
    expect(reply.opt).toMatchObject({ flags: 0x8000, version: 0, payload: 1232 });
  });

  test("an answer never exceeds what the client takes, over TCP it is whole", () => {
    for (const payload of [0, 512, 600, 1000, 1232, 4096]) {
      expect(image.send(size(payload))!.length).toBeLessThanOrEqual(Math.min(1232, Math.max(512, payload)));
    }
    expect(react(size(512), "tcp")).toMatchObject({ flags: ["aa"], answers: 100 });
  });
});

describe("cookies", () => {
  const cookie = (...lengths: number[]) =>
    withOpt({ options: lengths.map((length) => option(10, new Array(length).fill(7))) });
  const answered: Reaction = { ...normal, hasOpt: true, octets: 12 + 19 + 16 + 11 + 28 };
  rows([
    ["8 octets", cookie(8), answered],
    ["24 octets", cookie(24), answered],
    ["40 octets", cookie(40), answered],
    ["7 octets", cookie(7), formerrWithOpt],
    ["9 octets", cookie(9), formerrWithOpt],
    ["15 octets", cookie(15), formerrWithOpt],
    ["41 octets", cookie(41), formerrWithOpt],
    ["empty", cookie(0), formerrWithOpt],
    ["two cookies: the first counts", cookie(8, 3), answered],
  ]);
});

describe("other options", () => {
  const asking = (...options: (readonly number[])[]) => withOpt({ options });
  const ignored: Reaction = { ...normal, hasOpt: true, options: [] };
  rows([
    ["NSID without an identifier of ours", asking(option(3, [])), ignored],
    ["NSID with data", asking(option(3, [1, 2, 3])), ignored],
    ["keepalive over UDP", asking(option(11, [])), ignored],
    ["keepalive of one octet over UDP", asking(option(11, [1])), ignored],
    ["padding over UDP", asking(option(12, new Array(100).fill(0))), ignored],
    ["EXPIRE", asking(option(9, [])), ignored],
    ["an extended error", asking(option(15, [0, 3])), ignored],
    ["60,000 octets of padding", asking(option(12, new Array(60_000).fill(0))), ignored],
  ]);
});

describe("client subnet", () => {
  const ecs = (family: number, source: number, scope: number, address: readonly number[]) => [
    ...u16(family),
    source,
    scope,
    ...address,
  ];
  const subnet = (...data: (readonly number[])[]) => withOpt({ options: data.map((each) => option(8, each)) });
  const echoed = (data: readonly number[]): Reaction => ({ ...normal, options: option(8, data) });
  const v4 = ecs(1, 24, 0, [192, 0, 2]);
  const v6 = ecs(2, 49, 0, [0x20, 1, 13, 0xb8, 0, 0, 0x80]);
  rows([
    ["IPv4 /24", subnet(v4), echoed(v4)],
    ["IPv6 /49", subnet(v6), echoed(v6)],
    ["IPv4 /0", subnet(ecs(1, 0, 0, [])), echoed(ecs(1, 0, 0, []))],
    ["family 0", subnet(ecs(0, 0, 0, [])), echoed(ecs(0, 0, 0, []))],
    ["family 3", subnet(ecs(3, 24, 0, [1, 2, 3])), formerrWithOpt],
    ["IPv4 /33", subnet(ecs(1, 33, 0, [1, 2, 3, 4, 0])), formerrWithOpt],
    ["IPv6 /129", subnet(ecs(2, 129, 0, new Array(17).fill(0))), formerrWithOpt],
    ["a scope in a query", subnet(ecs(1, 24, 24, [192, 0, 2])), formerrWithOpt],
    ["an address too short", subnet(ecs(1, 24, 0, [192, 0])), formerrWithOpt],
    ["an address too long", subnet(ecs(1, 24, 0, [192, 0, 2, 0])), formerrWithOpt],
    ["bits after the prefix", subnet(ecs(1, 20, 0, [192, 0, 2])), formerrWithOpt],
    ["two octets", subnet([0, 1]), formerrWithOpt],
    ["empty", subnet([]), formerrWithOpt],
    ["two subnets", subnet(v4, v4), formerrWithOpt],
  ]);
});
