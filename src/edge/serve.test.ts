/** Odd and hostile packets: each gets what it should, and the query after it is answered as if nothing had been. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAnswer, queryOf } from "../../test/scenarios/image.ts";
import { name, opt, option, packet, question, record, u16 } from "../../test/scenarios/packet.ts";
import {
  apex,
  ask,
  bareFormerr,
  image,
  normal,
  type Reaction,
  type Row,
  react,
  rows,
  withOpt,
  www,
} from "../../test/scenarios/probe.ts";
import { ImageReader } from "../answer/image/reader.ts";
import { ImageWriter } from "../answer/image/writer.ts";
import { TypeCode } from "../dns/constants.ts";
import { createServe } from "./serve.ts";

const long = "x".repeat(63);

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

describe("chains", () => {
  const longest = Array.from({ length: 4 }, () => "x".repeat(59)).join(".");
  rows([
    ["two CNAMEs in a circle", ask(`left.${apex}`), { rcode: "NOERROR", answers: 2, authorities: 0 }],
    ["a CNAME to itself", ask(`self.${apex}`), { rcode: "NOERROR", answers: 1, authorities: 0 }],
    ["a wildcard CNAME to itself", ask(`b.round.${apex}`), { rcode: "NOERROR", answers: 2, authorities: 0 }],
    ["two DNAMEs in a circle", ask(`a.to.${apex}`), { rcode: "NOERROR", answers: 4, authorities: 0 }],
    ["a DNAME that makes names longer", ask(`a.grow.${apex}`), { rcode: "NOERROR", flags: ["aa"] }],
    ["41 CNAMEs", ask(`link0.${apex}`), { rcode: "NOERROR", flags: ["aa"], answers: 16 }],
    ["a DNAME whose name would be too long", ask(`${longest}.d.${apex}`), { rcode: "YXDOMAIN", answers: 1 }],
    [
      "60 MX with addresses",
      withOpt({}, `mail.${apex}`, TypeCode.MX),
      { rcode: "NOERROR", flags: ["aa"], answers: 55 },
    ],
  ]);
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
