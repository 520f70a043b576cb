/**
 * The contract of every record type: API form, wire format and presentation format agree, and junk causes nothing worse
 * than an error.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compressible,
  parseRdata,
  printRdata,
  rdataFromApi,
  rdataToApi,
  scanRdata,
  shortAnswer,
} from "../../src/dns/rdata/codec.ts";
import { parseFields } from "../../src/dns/rdata/fields.ts";
import { compressedName, name } from "../../src/dns/rdata/names.ts";
import { printGeneric } from "../../src/dns/rdata/opaque.ts";
import type { RecordType } from "../../src/dns/rdata/record-type.ts";
import { typeCoded, typeNamed } from "../../src/dns/type-names.ts";
import { types } from "../../src/dns/types.ts";
import { scanName } from "../../src/dns/wire/name.ts";
import { Reader, WireError, Writer } from "../../src/dns/wire/wire.ts";
import { Problem } from "../../src/lib/problem.ts";
import { anyCharacter, runs } from "../runs.ts";
import { answerOf, wireName } from "./types-answers.ts";
import { examples, refusals } from "./types-examples.ts";

const all: readonly RecordType[] = [...Object.values(types), typeCoded(65001)];
const hex = (octets: Uint8Array) => Buffer.from(octets).toString("hex");
const typeOf = (text: string) => typeNamed(text)!;

describe("known RDATA", () => {
  test.each(examples)("$type $text", ({ type, answer, hex: known, text }) => {
    const rdata = rdataFromApi(typeOf(type), answer);
    expect(hex(rdata)).toBe(known.toLowerCase());
    expect(hex(parseRdata(typeOf(type), new Reader(rdata)))).toBe(hex(rdata));
    const shown = typeOf(type).served === "as-is" ? text : printRdata(typeOf(type), rdata);
    expect(hex(scanRdata(typeOf(type), shown))).toBe(hex(rdata));
  });

  test.each(examples.filter(({ type }) => typeOf(type).served === "as-is"))("$type prints as $text", (known) => {
    const shown = printRdata(typeOf(known.type), Buffer.from(known.hex, "hex"));
    expect(shown.replace(/\.(?= |$)/g, "")).toBe(known.text.replace(/\.(?= |$)/g, ""));
  });

  test("every type has an example", () => {
    const shown = new Set(examples.map((example) => example.type));
    expect(Object.keys(types).filter((type) => !shown.has(type))).toEqual([]);
  });

  test.each(refusals)("%s %j is refused: %s", (type, answer, message) => {
    expect(problem(() => rdataFromApi(typeOf(type), answer))).toMatchObject({
      code: "invalid",
      message: `${type} record: ${message}`,
      details: { type, field: message.split(" ")[0] },
    });
  });
});

describe.each(all.map((type) => ({ type, name: type.name })))("$name", ({ type }) => {
  const answers = answerOf(type);
  const rdatas = answers.map((answer) => rdataFromApi(type, answer));

  test("RDATA survives conversion to the API form and back", () => {
    fc.assert(
      fc.property(rdatas, (rdata) => {
        const answer = rdataToApi(type, rdata);
        expect(hex(rdataFromApi(type, answer))).toBe(hex(rdata));
        expect(hex(rdataFromApi(type, answer.map(String)))).toBe(hex(rdata));
      }),
      runs(100),
    );
  });

  test("RDATA survives conversion to presentation format and back", () => {
    fc.assert(
      fc.property(rdatas, (rdata) => {
        expect(hex(scanRdata(type, printRdata(type, rdata)))).toBe(hex(rdata));
        expect(hex(scanRdata(type, printGeneric(rdata)))).toBe(hex(rdata));
        expect(hex(rdataFromApi(type, [printGeneric(rdata)]))).toBe(hex(rdata));
        expect(printRdata(type, rdata)).toMatch(/^[ -~]*$/);
      }),
      runs(100),
    );
  });

  test("compressed names are read", () => {
    fc.assert(
      fc.property(rdatas, wireName, (rdata, owner) => {
        const { octets, start } = compressed(type, rdata, owner);
        const reader = new Reader(octets);
        reader.name();
        expect(hex(parseRdata(type, reader.slice(octets.length - start)))).toBe(hex(rdata));
      }),
      runs(100),
    );
  });

  test("damaged octets yield RDATA or a WireError", () => {
    const damaged = fc.tuple(rdatas, fc.nat(), fc.nat(), fc.uint8Array({ maxLength: 3 }));
    fc.assert(
      fc.property(damaged, ([rdata, at, cut, put]) => {
        const from = at % (rdata.length + 1);
        const octets = Buffer.concat([rdata.subarray(0, from), put, rdata.subarray(from + (cut % 4))]);
        expectValueOrWireError(type, octets);
        expectValueOrWireError(type, rdata.subarray(0, from));
      }),
      runs(100),
    );
  });

  test("random octets yield RDATA or a WireError", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (octets) => expectValueOrWireError(type, octets)),
      runs(100),
    );
  });

  test("junk from the API yields RDATA or a Problem", () => {
    const junk = fc.oneof(
      fc.jsonValue({ stringUnit: anyCharacter }),
      fc.string({ unit: anyCharacter }),
      fc.double(),
      fc.anything(),
    );
    const spoilt = fc
      .tuple(answers, fc.nat(), junk)
      .map(([answer, at, part]) => answer.map((good, i) => (i === at % answer.length ? part : good)));
    fc.assert(
      fc.property(fc.oneof(fc.array(junk), spoilt), (answer) => {
        const found = problem(() => rdataFromApi(type, answer));
        if (found) expect(found).toMatchObject({ code: "invalid", details: { type: type.name } });
      }),
      runs(100),
    );
  });

  test("junk in a zone file yields RDATA or a WireError", () => {
    const words = fc
      .array(fc.oneof(fc.string(), fc.constantFrom('"', "(", ")", "\\#", "1", "=", ".")))
      .map((list) => list.join(" "));
    fc.assert(
      fc.property(words, (text) => void value(() => scanRdata(type, text))),
      runs(100),
    );
  });
});

describe("the table of types", () => {
  test("knows types by mnemonic in any case and by number", () => {
    expect(typeNamed("mx")).toBe(types.MX);
    expect(typeNamed("TYPE15")).toBe(types.MX);
    expect(typeCoded(15)).toBe(types.MX);
    expect(typeNamed("Type1234")).toMatchObject({ name: "TYPE1234", code: 1234, writable: true });
  });

  test.each(["FOO", "TYPE65536", "TYPE", "TYPE01", "", "__proto__", "constructor", "WKS"])(
    "does not know %j",
    (text) => {
      expect(typeNamed(text)).toBeUndefined();
    },
  );

  test.each([
    "SOA",
    "DNSKEY",
    "CDS",
    "CDNSKEY",
    "ZONEMD",
    "REDIRECT",
    "TYPE0",
    "TYPE41",
    "TYPE46",
    "TYPE128",
    "TYPE255",
    "TYPE65535",
  ])("%s cannot be written", (text) => expect(typeOf(text).writable).toBe(false));

  test("only types of RFC 1035 compress names", () => {
    const compressing = all.filter((type) => type.compress).map((type) => type.name);
    expect(compressing).toEqual(["CNAME", "MB", "MG", "MINFO", "MR", "MX", "NS", "PTR", "SOA"]);
  });

  test("knows where names begin that may be compressed", () => {
    const soa = rdataFromApi(types.SOA, ["a.example", "b.example", 1, 2, 3, 4, 5]);
    expect(compressible(types.SOA, soa)).toEqual([0, 11]);
    expect(compressible(types.MX, rdataFromApi(types.MX, [1, "a"]))).toEqual([2]);
    expect(compressible(types.SRV, rdataFromApi(types.SRV, [1, 2, 3, "a"]))).toEqual([]);
  });
});

describe("text", () => {
  test("a long TXT string is cut at 255 octets and read back whole", () => {
    const long = "ü".repeat(300);
    const rdata = rdataFromApi(types.TXT, [long]);
    expect([rdata.length, rdata[0], rdata[256], rdata[512]]).toEqual([603, 255, 255, 90]);
    expect(rdataToApi(types.TXT, rdata)).toEqual([long]);
  });

  test("64 KiB of TXT are too much", () => {
    const message = "TXT record: text makes the RDATA longer than 65535 octets";
    expect(rdataFromApi(types.TXT, ["x".repeat(65279)])).toHaveLength(65535);
    expect(problem(() => rdataFromApi(types.TXT, ["x".repeat(65280)]))?.message).toBe(message);
  });

  test("text that UTF-8 cannot express has the generic API form", () => {
    expect(rdataToApi(types.TXT, Uint8Array.of(2, 0xff, 0x41))).toEqual(["\\# 3 02FF41"]);
    expect(rdataToApi(types.TXT, Uint8Array.of(0))).toEqual(["\\# 1 00"]);
    expect(rdataToApi(types.TXT, Uint8Array.of(1, 0))).toEqual(["\\# 2 0100"]);
  });

  test("an answer may be one string in presentation format", () => {
    expect(rdataFromApi(types.MX, ["10 mail.example.com."])).toEqual(rdataFromApi(types.MX, [10, "mail.example.com."]));
    expect(rdataFromApi(types.CAA, ['0 issue "ca.example"'])).toEqual(
      rdataFromApi(types.CAA, [0, "issue", "ca.example"]),
    );
    expect(problem(() => rdataFromApi(types.MX, ["10 mail more"]))?.message).toBe(
      'MX record: rdata has "more" after its last field',
    );
    expect(problem(() => rdataFromApi(types.CAA, ['0 issue "']))?.details).toMatchObject({
      type: "CAA",
      field: "answer",
    });
  });

  test("short answers have no quotes, and a blank on each side of an empty part", () => {
    expect(shortAnswer(["a b", "c"])).toBe("a b c");
    expect(shortAnswer([0, "issue", "ca.example; x=y"])).toBe("0 issue ca.example; x=y");
    expect(shortAnswer([1, 2, "S", "", "", "."])).toBe("1 2 S   .");
  });
});

describe("zone file spellings", () => {
  test.each([
    ["MX", "010 mail", "000a046d61696c076578616d706c6500"],
    ["MX", "10 @", "000a076578616d706c6500"],
    ["MX", "\\# 4 (000A ; comment\n 0161) ", undefined],
    ["MX", "\\# 5 000A 016100", "000a016100"],
    [
      "SOA",
      "@ h ( 1 1h30m\n 2w ; retry\n 3D 0 )",
      "076578616d706c65000168076578616d706c650000000001000015180012750000 03f48000000000",
    ],
    ["TXT", 'plain "two words" "" \\065\\;', "05706c61696e0974776f20776f72647300 02413b"],
    ["DS", "1 13 9 AA bb\tCC", "00010d09aabbcc"],
    ["DS", "1 RSASHA256 9 AABB", "00010809aabb"],
    ["CERT", "pgp 1 8 AQ ID", "0003000108010203"],
    ["HTTPS", "1 . key3=\\000\\053", "000100000300020035"],
    ["HTTPS", '1 . alpn="h2,h3" ', "000100000100060268320268 33"],
    ["HTTPS", "1 . alpn=h2 alpn=h3", undefined],
    ["A", "192.0.2.1 x", undefined],
    ["A", "", undefined],
    ["A", '"192.0.2.1', undefined],
    ["TXT", "", undefined],
    ["TXT", "a\\", undefined],
    ["TXT", "\\256", undefined],
    ["TXT", "x".repeat(256), undefined],
    ["MX", "\\# 11 000A 076578616d706c65 C002", undefined],
  ])("%s %j", (type, text, known) => {
    const scan = () => hex(scanRdata(typeOf(type), text, scanName("example.")));
    if (known === undefined) expect(scan).toThrow(WireError);
    else expect(scan()).toBe(known.replaceAll(" ", ""));
  });
});

describe("RDATA of a message", () => {
  const read = (type: RecordType, text: string) => () => parseRdata(type, new Reader(Buffer.from(text, "hex")));

  test.each([
    ["an address that is too long", types.A, "c000020100"],
    ["an address that is too short", types.AAAA, "c0000201"],
    ["a name without end", types.NS, "0161"],
    ["a pointer into nothing", types.NS, "c000"],
    ["a string longer than the RDATA", types.TXT, "0261"],
    ["no string", types.TXT, ""],
    ["bitmap windows out of order", types.CSYNC, "000000000000 010101 000160"],
    ["a bitmap window that ends with zeros", types.CSYNC, "000000000000 00026000"],
    ["an empty bitmap window", types.CSYNC, "000000000000 0000"],
    ["service parameters out of order", types.SVCB, "000100 00030002003500010003026832"],
    ["a service parameter twice", types.SVCB, "000100 0003000200350003000200 35"],
    ["a service parameter that is cut", types.SVCB, "000100 000300020035 00"],
    ["a prefix of an unknown family", types.APL, "00030800"],
    ["a gateway of an unknown type", types.IPSECKEY, "0a0402010203"],
    ["a digest of the wrong length", types.DS, "00010d02aabb"],
  ])("with %s is refused", (_what, type, text) => expect(read(type, text.replaceAll(" ", ""))).toThrow(WireError));

  test("ends where its length says, even inside a name", () => {
    const message = scanName("a.example.");
    expect(() => parseRdata(types.NS, new Reader(message).slice(4))).toThrow(WireError);
  });
});

/**
 * An owner name and RDATA as in a message; the names in the RDATA are compressed against the owner, whatever the type.
 */
function compressed(type: RecordType, rdata: Uint8Array, owner: Uint8Array): { octets: Uint8Array; start: number } {
  const writer = new Writer(new Uint8Array(70000));
  writer.name(owner, true);
  const start = writer.at;
  for (const [i, field] of parseFields(type, new Reader(rdata)).entries()) {
    const { kind } = type.fields[i]!;
    if (kind === name || kind === compressedName) writer.name(field, true);
    else writer.bytes(field);
  }
  return { octets: writer.octets.slice(0, writer.at), start };
}

function expectValueOrWireError(type: RecordType, octets: Uint8Array): void {
  const rdata = value(() => parseRdata(type, new Reader(octets)));
  if (!rdata) return;
  expect(hex(parseRdata(type, new Reader(rdata)))).toBe(hex(rdata));
  expect(hex(scanRdata(type, printRdata(type, rdata)))).toBe(hex(rdata));
  expect(hex(rdataFromApi(type, rdataToApi(type, rdata)))).toBe(hex(rdata));
}

function value<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}

function problem(run: () => unknown): Problem | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
