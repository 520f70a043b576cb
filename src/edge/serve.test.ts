/** Odd and hostile packets: each gets what it should, and the query after it is answered as if nothing had been. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, parseAnswer, queryOf, TestImage } from "../../test/scenarios/image.ts";
import { name, type OptParts, opt, option, packet, question, record, u16 } from "../../test/scenarios/packet.ts";
import { ImageReader } from "../answer/image/reader.ts";
import { ImageWriter } from "../answer/image/writer.ts";
import { TypeCode } from "../dns/constants.ts";
import { createServe } from "./serve.ts";

const apex = "probe.lab.";
const long = "x".repeat(63);
const image = new TestImage().put("probe.lab", [
  "@ 300 NS ns1.probe.lab.",
  "ns1 300 A 192.0.2.1",
  "www 300 A 192.0.2.10",
  "*.wild 300 TXT wild",
  "a.b.ent 300 A 192.0.2.11",
  "sub 300 NS ns.sub.probe.lab.",
  "ns.sub 300 A 192.0.2.12",
  "d 300 DNAME target.probe.lab.",
  ...Array.from({ length: 60 }, (_, i) => `large 300 A 192.0.2.${i}`),
  ...Array.from({ length: 100 }, (_, i) => `huge 300 A 198.51.100.${i}`),
]);

/** What matters of an answer; `silence` for none. `bare` is a header and nothing else, `opt` counts its OPT record. */
interface Reaction {
  readonly rcode?: string;
  readonly flags?: readonly string[];
  readonly octets?: number;
  readonly question?: string | undefined;
  readonly answers?: number;
  readonly authorities?: number;
  readonly hasOpt?: boolean;
  readonly options?: readonly number[];
  readonly opcode?: number;
}

function react(octets: Uint8Array, transport: "udp" | "tcp" = "udp"): Reaction | "silence" {
  const reply = image.send(octets, transport);
  if (!reply) return "silence";
  const answer: Answer = parseAnswer(reply);
  expect(answer.id).toBe((octets[0]! << 8) | octets[1]!);
  return {
    rcode: answer.rcode,
    flags: answer.flags,
    opcode: answer.opcode,
    octets: reply.length,
    question: answer.question,
    answers: answer.answer.length,
    authorities: answer.authority.length,
    hasOpt: answer.opt !== undefined,
    options: [...(answer.opt?.data ?? [])],
  };
}

type Row = readonly [what: string, packet: Uint8Array, wanted: Reaction | "silence"];

function rows(all: readonly Row[]): void {
  for (const [what, octets, wanted] of all) {
    test(what, () => {
      const reaction = react(octets);
      if (wanted === "silence") expect(reaction).toBe("silence");
      else expect(reaction).toMatchObject(wanted);
      const after = image.ask({ name: apex, type: "SOA", id: 77 });
      expect(after).toMatchObject({ id: 77, rcode: "NOERROR", flags: ["aa"] });
      expect(after.answer).toHaveLength(1);
      expect(image.faults).toEqual([]);
    });
  }
}

const ask = (text: string, type?: number, klass?: number) => packet({ questions: [question(text, type, klass)] });
const www = question(`www.${apex}`);
const withOpt = (parts: OptParts = {}, text = `www.${apex}`) =>
  packet({ questions: [question(text)], additionals: [opt(parts)] });
const bareFormerr: Reaction = { rcode: "FORMERR", octets: 12, flags: [] };
const normal: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 1, question: "www.probe.lab. A" };
const formerrWithOpt: Reaction = { rcode: "FORMERR", hasOpt: true, answers: 0, flags: [] };

describe("header", () => {
  rows([
    ["an empty datagram", new Uint8Array(0), "silence"],
    ["one octet", Uint8Array.of(0), "silence"],
    ["eleven octets", new Uint8Array(11), "silence"],
    ["a header without question", packet({}), bareFormerr],
    ["a header that announces a question", packet({ counts: [1, 0, 0, 0] }), bareFormerr],
    ["a response", packet({ flags: 0x8000, questions: [www] }), "silence"],
    ["a reflected NXDOMAIN", packet({ flags: 0x8403, questions: [www] }), "silence"],
    ["a response with an unknown opcode", packet({ flags: 0xf800 }), "silence"],
    ["every flag but QR", packet({ flags: 0x07ff, questions: [www] }), { ...normal, flags: ["aa", "rd"] }],
    ...(["IQUERY 1", "STATUS 2", "reserved 3", "UPDATE 5", "DSO 6", "reserved 15"] as const).flatMap((text): Row[] => {
      const opcode = Number(text.split(" ")[1]);
      const notimp: Reaction = { rcode: "NOTIMP", octets: 12, flags: [], opcode };
      return [
        [`opcode ${text} with a question`, packet({ flags: opcode << 11, questions: [www] }), notimp],
        [`opcode ${text}, a header only`, packet({ flags: opcode << 11 }), notimp],
        [`opcode ${text}, all flags set`, packet({ flags: (opcode << 11) | 0x07ff }), notimp],
      ];
    }),
    [
      "NOTIFY for our zone",
      packet({ flags: 0x2400, questions: [question(apex, TypeCode.SOA)] }),
      { rcode: "REFUSED", opcode: 4 },
    ],
    [
      "NOTIFY for another zone",
      packet({ flags: 0x2400, questions: [question("other.", TypeCode.SOA)] }),
      { rcode: "REFUSED" },
    ],
    ["NOTIFY with QTYPE A", packet({ flags: 0x2400, questions: [question(apex)] }), { rcode: "FORMERR" }],
    ...(
      [
        ["TC", 0x200],
        ["Z", 0x40],
        ["AA", 0x400],
        ["RA", 0x80],
        ["AD", 0x20],
        ["CD", 0x10],
        ["RCODE 15", 15],
      ] as const
    ).map(([flag, bits]): Row => [`${flag} in a query`, packet({ flags: bits, questions: [www] }), normal]),
    ["RD in a query", packet({ flags: 0x100, questions: [www] }), { ...normal, flags: ["aa", "rd"] }],
  ]);
});

describe("question", () => {
  const asQuestion = (octets: readonly number[]) => packet({ questions: [octets] });
  const labels = (count: number, octets = 1) => [
    ...Array.from({ length: count }, () => [octets, ...new Array(octets).fill(97)]).flat(),
    0,
  ];
  const exactly255 = `${long}.${long}.${long}.${"y".repeat(61)}.`;
  const inZone255 = `${long}.${long}.${long}.${"y".repeat(51)}.${apex}`;
  rows([
    ["the same question twice", packet({ questions: [www, www] }), bareFormerr],
    ["two questions", packet({ questions: [www, question(apex)] }), bareFormerr],
    ["QDCOUNT 65535", packet({ counts: [65535, 0, 0, 0], questions: [www] }), bareFormerr],
    ["a name that is cut off", asQuestion([3, 119, 119]), bareFormerr],
    ["type and class missing", asQuestion(name(`www.${apex}`)), bareFormerr],
    ["half a class", asQuestion([...name(`www.${apex}`), 0, 1, 0]), bareFormerr],
    ["a pointer to itself", asQuestion([0xc0, 12, 0, 1, 0, 1]), bareFormerr],
    ["a pointer forward", asQuestion([0xc0, 20, 0, 1, 0, 1, 0, 0, 0, 0]), bareFormerr],
    ["a label and a pointer back to it", asQuestion([1, 97, 0xc0, 12, 0, 1, 0, 1]), bareFormerr],
    ["a pointer into the header", asQuestion([0xc0, 0, 0, 1, 0, 1]), bareFormerr],
    ["half a pointer", asQuestion([0xc0]), bareFormerr],
    ["a pointer past the end", asQuestion([0xff, 0xff, 0, 1, 0, 1]), bareFormerr],
    ["label type 01", asQuestion([0x41, 97, 0, 0, 1, 0, 1]), bareFormerr],
    ["label type 10", asQuestion([0x80, 97, 0, 0, 1, 0, 1]), bareFormerr],
    ["255 octets, not ours", ask(exactly255), { rcode: "REFUSED" }],
    ["255 octets, in our zone", ask(inZone255), { rcode: "NXDOMAIN", flags: ["aa"], authorities: 1 }],
    ["127 labels", asQuestion([...labels(127), 0, 1, 0, 1]), { rcode: "REFUSED" }],
    ["128 labels", asQuestion([...labels(128), 0, 1, 0, 1]), bareFormerr],
    [
      "256 octets",
      asQuestion([...labels(3, 63), 62, ...new Array(62).fill(97), 0, 0, 1, 0, 1].filter((_, i) => i !== 192)),
      bareFormerr,
    ],
    ["401 octets", asQuestion([...labels(200), 0, 1, 0, 1]), bareFormerr],
    ["an extra zero octet", asQuestion([...name(`www.${apex}`), 0, 0, 1, 0, 1]), { rcode: "REFUSED" }],
    ["an answer in a query", packet({ questions: [www], answers: [record([0xc0, 12], 1, [1, 2, 3, 4])] }), normal],
    [
      "an authority record in a query",
      packet({ questions: [www], authorities: [record([0xc0, 12], 1, [1, 2, 3, 4])] }),
      normal,
    ],
    [
      "an address among the additional",
      packet({ questions: [www], additionals: [record(name("a."), 1, [1, 2, 3, 4])] }),
      normal,
    ],
    ["ANCOUNT 1, no record", packet({ counts: [1, 1, 0, 0], questions: [www] }), { rcode: "FORMERR" }],
    ["ARCOUNT 1, no record", packet({ counts: [1, 0, 0, 1], questions: [www] }), { rcode: "FORMERR" }],
    [
      "ARCOUNT 65535, one OPT",
      packet({ counts: [1, 0, 0, 65535], questions: [www], additionals: [opt()] }),
      { rcode: "FORMERR" },
    ],
    ["octets after the message", packet({ questions: [www], tail: [1, 2, 3, 4, 5, 6, 7, 8] }), normal],
    [
      "an OPT that is not announced",
      packet({ counts: [1, 0, 0, 0], questions: [www], additionals: [opt()] }),
      { ...normal, hasOpt: false },
    ],
    ["mixed case", ask("wWw.PrObE.lAb."), { ...normal, question: "wWw.PrObE.lAb. A" }],
    ["NUL and blank in a label", ask(`a\\000\\032b.${apex}`), { rcode: "NXDOMAIN" }],
    ["a dot in a label", ask(`a\\.b.${apex}`), { rcode: "NXDOMAIN" }],
    ["the asterisk itself", ask(`*.wild.${apex}`, TypeCode.TXT), { rcode: "NOERROR", answers: 1 }],
    ["the root's SOA", ask(".", TypeCode.SOA), { rcode: "REFUSED", flags: [], octets: 17, authorities: 0 }],
    ["the root's NS", ask(".", TypeCode.NS), { rcode: "REFUSED", flags: [], octets: 17, authorities: 0 }],
    ["a zone that is not served", ask("www.example.org."), { rcode: "REFUSED", flags: [], octets: 33 }],
    ["below a delegation", ask(`x.sub.${apex}`), { rcode: "NOERROR", flags: [], answers: 0, authorities: 1 }],
    ["an empty non-terminal", ask(`b.ent.${apex}`), { rcode: "NOERROR", answers: 0, authorities: 1 }],
    ["below a DNAME", ask(`x.d.${apex}`), { rcode: "NXDOMAIN", answers: 2, authorities: 1 }],
  ]);

  test("the question comes back octet for octet", () => {
    const asked = ask("wWw.PrObE.lAb.");
    expect(image.send(asked)?.subarray(12, asked.length)).toEqual(asked.subarray(12));
  });
});

describe("type and class", () => {
  const type = (code: number) => ask(`www.${apex}`, code);
  const nodata: Reaction = { rcode: "NOERROR", flags: ["aa"], answers: 0, authorities: 1 };
  rows([
    ["CH TXT version.bind", ask("version.bind.", TypeCode.TXT, 3), { rcode: "REFUSED" }],
    ["CH TXT id.server", ask("id.server.", TypeCode.TXT, 3), { rcode: "REFUSED" }],
    ...([3, 255, 254, 0, 65280] as const).map(
      (klass): Row => [
        `our zone in class ${klass}`,
        ask(apex, TypeCode.SOA, klass),
        { rcode: "REFUSED", flags: [], answers: 0 },
      ],
    ),
    ["type 0", type(0), nodata],
    ["ANY", ask(`huge.${apex}`, TypeCode.ANY), { rcode: "NOERROR", flags: ["aa", "tc"] }],
    ["ANY at the apex", ask(apex, TypeCode.ANY), { rcode: "NOERROR", flags: ["aa"], answers: 1 }],
    ["AXFR over UDP", ask(apex, TypeCode.AXFR), { rcode: "NOTIMP", answers: 0 }],
    ["IXFR over UDP", ask(apex, TypeCode.IXFR), { rcode: "REFUSED", answers: 0 }],
    ["QTYPE OPT", type(TypeCode.OPT), { rcode: "FORMERR", flags: [] }],
    ["QTYPE TSIG", type(TypeCode.TSIG), { rcode: "FORMERR", flags: [] }],
    ["QTYPE TKEY", type(TypeCode.TKEY), { rcode: "FORMERR", flags: [] }],
    ["QTYPE MAILB", type(TypeCode.MAILB), nodata],
    ["QTYPE MAILA", type(TypeCode.MAILA), nodata],
    ["QTYPE 65535", type(65535), nodata],
    ["QTYPE NXNAME", type(TypeCode.NXNAME), { rcode: "FORMERR", flags: [], hasOpt: false }],
    [
      "QTYPE NXNAME with EDNS",
      packet({ questions: [question(apex, TypeCode.NXNAME)], additionals: [opt()] }),
      { rcode: "FORMERR", options: [0, 15, 0, 2, 0, 30] },
    ],
    ["QTYPE RRSIG", type(TypeCode.RRSIG), nodata],
    ["QTYPE NSEC", type(TypeCode.NSEC), nodata],
    ["DS at our apex", ask(apex, TypeCode.DS), nodata],
    ["DS at an insecure cut", ask(`sub.${apex}`, TypeCode.DS), nodata],
  ]);

  test("transfers are refused over TCP", () => {
    for (const code of [TypeCode.AXFR, TypeCode.IXFR]) {
      expect(react(ask(apex, code), "tcp")).toMatchObject({ rcode: "REFUSED", answers: 0 });
    }
  });

  test("every type is answered at a name with data, without data, and without name", () => {
    for (const text of [apex, `b.ent.${apex}`, `no.${apex}`]) {
      const octets = ask(text);
      for (let code = 0; code < 65536; code++) {
        octets.set(u16(code), octets.length - 4);
        if (!image.send(octets)) throw new Error(`no answer to type ${code} at ${text}`);
      }
    }
    expect(image.faults).toEqual([]);
  });
});

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
      { rcode: "NOTIMP", octets: 23, hasOpt: true },
    ],
    ["no question, an OPT", packet({ additionals: [opt()] }), { rcode: "FORMERR", octets: 23, hasOpt: true }],
    [
      "no question, a cookie",
      packet({ additionals: [opt({ options: [option(10, new Array(8).fill(1))] })] }),
      { rcode: "FORMERR", octets: 23 },
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
  const answered: Reaction = { ...normal, hasOpt: true, options: [] };
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

describe("any octets", () => {
  test("random packets are answered or not, but never with a fault", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300, size: "max" }), (octets) => {
        const reply = image.send(octets);
        if (reply) parseAnswer(reply);
      }),
      { numRuns: 3000 },
    );
    expect(image.faults).toEqual([]);
  });

  test("damaged queries are answered or not, but never with a fault", () => {
    const sound = withOpt({ options: [option(10, new Array(8).fill(1)), option(8, [0, 1, 24, 0, 192, 0, 2])] });
    const damage = fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(damage, fc.nat(sound.length), (changes, length) => {
        const octets = sound.slice();
        for (const [at, value] of changes) octets[at] = value;
        octets[2]! &= 0x7f;
        for (const cut of [octets, octets.subarray(0, length)]) {
          const reply = image.send(cut);
          if (reply) parseAnswer(reply);
          else expect(cut.length).toBeLessThan(12);
        }
      }),
      { numRuns: 3000 },
    );
    expect(image.faults).toEqual([]);
  });
});

test("a fault in one query is SERVFAIL for that query, and reported", () => {
  const faults: unknown[] = [];
  const reader = new ImageReader(ImageWriter.create().share(), 0);
  const serve = createServe(reader, { onFault: (fault) => faults.push(fault) });
  reader.findZone = () => {
    throw new Error("broken");
  };
  const out = new Uint8Array(512);
  const octets = queryOf({ name: "www.example.", type: "A", id: 9, edns: 1232 });
  const client = { family: 4, address: Uint8Array.of(192, 0, 2, 1), port: 1 } as const;
  const length = serve(octets, 0, octets.length, client, "udp", out, 0, out.length);
  expect(parseAnswer(out.slice(0, length))).toMatchObject({
    id: 9,
    rcode: "SERVFAIL",
    flags: [],
    question: "www.example. A",
  });
  expect(faults).toEqual([new Error("broken")]);
});
