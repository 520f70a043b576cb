/** The reader's bounds and pointer rules, and the writer's compression. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printName, root, scanName } from "./name.ts";
import { joined, Reader, WireError, Writer } from "./wire.ts";

const octets = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));

/** Reads names one after another until the data end. */
function names(hex: string): string[] {
  const reader = new Reader(octets(hex));
  const found: string[] = [];
  while (reader.left > 0) found.push(printName(reader.name()));
  return found;
}

describe("Reader", () => {
  test("reads numbers in network order", () => {
    const reader = new Reader(octets("01 0203 fffefdfc 05"));
    expect([reader.u8(), reader.u16(), reader.u32(), reader.left]).toEqual([1, 0x0203, 0xfffefdfc, 1]);
  });

  test("does not read past its end", () => {
    const reader = new Reader(octets("0102030405"), 1, 3);
    expect(() => reader.u32()).toThrow("ends too early");
    expect(() => reader.bytes(3)).toThrow(WireError);
    expect([...reader.bytes(2)]).toEqual([2, 3]);
    expect(() => reader.u8()).toThrow(WireError);
  });

  test("reads stay within a slice, and the reader continues after it", () => {
    const reader = new Reader(octets("0361626300 07"));
    const slice = reader.slice(3);
    expect(() => slice.name()).toThrow("runs past the end");
    expect([reader.u8(), reader.u8(), reader.u8()]).toEqual([0x63, 0, 7]);
    expect(() => reader.slice(1)).toThrow(WireError);
  });

  test("follows pointers to earlier labels, through slices too", () => {
    expect(names("0161 0162 00 c000 c002 0163 c002 c004 c009")).toEqual(["a.b.", "a.b.", "b.", "c.b.", ".", "c.b."]);
    const reader = new Reader(octets("0161 00 0162 c000 c003"));
    reader.slice(3).name();
    expect(printName(reader.slice(4).name())).toBe("b.a.");
    expect(printName(reader.name())).toBe("b.a.");
  });

  test.each([
    ["a pointer to itself", "c000"],
    ["a label and a pointer back to it", "0161 c000"],
    ["a forward pointer", "c002 00"],
    ["a pointer past the end", "c0ff"],
    ["a pointer to a pointer", "0161 00 c000 c003"],
    ["a label and half a pointer", "0161 c0"],
    ["a pointer into the middle of a label", "026161 00 c001"],
    ["a pointer to octets that are not the start of a label", "0161 00 0162 00 c001"],
    ["a label of the kind 01", "4161 00"],
    ["a label of the kind 10", "8161 00"],
    ["no end", "0161"],
    ["a truncated label", "0561"],
    ["half a pointer and no label", "c0"],
  ])("refuses a name with %s", (_what, hex) => expect(() => names(hex)).toThrow(WireError));

  test("a name has at most 255 octets, pointers included", () => {
    const label = `3f${"61".repeat(63)}`;
    expect(names(`${label.repeat(3)}3d${"61".repeat(61)}00`)).toHaveLength(1);
    expect(() => names(`${label.repeat(3)}3e${"61".repeat(62)}00`)).toThrow("longer than 255 octets");
    expect(() => names(`${label.repeat(3)}00 ${label} c000`)).toThrow("longer than 255 octets");
  });

  test("a chain of pointers is followed", () => {
    const link = (i: number) => `0162${(0xc000 + (i === 0 ? 0 : 4 * i - 1)).toString(16)}`;
    const chain = (links: number) => `0161 00 ${Array.from({ length: links }, (_, i) => link(i)).join("")}`;
    expect(names(chain(126)).at(-1)).toBe(`${"b.".repeat(126)}a.`);
    expect(() => names(chain(127))).toThrow("longer than 255 octets");
  });

  test("random octets are names or a WireError", () => {
    const input = fc.array(fc.oneof(fc.constantFrom(0, 1, 0xc0), fc.nat(255)), { maxLength: 40 });
    fc.assert(
      fc.property(input, (given) => {
        try {
          names(Buffer.from(given).toString("hex"));
        } catch (error) {
          expect(error).toBeInstanceOf(WireError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("Writer", () => {
  const write = (texts: readonly string[], compress = true) => {
    const writer = new Writer(new Uint8Array(600));
    for (const text of texts) writer.name(scanName(text), compress);
    return writer;
  };
  const written = (writer: Writer) => Buffer.from(writer.octets.subarray(0, writer.at)).toString("hex");

  test("writes numbers in network order", () => {
    const writer = new Writer(new Uint8Array(7));
    writer.u8(1);
    writer.u16(0x0203);
    writer.u32(0xfffefdfc);
    expect(written(writer)).toBe("010203fffefdfc");
  });

  test("compresses the ends of names", () => {
    expect(written(write(["a.b", "b", "x.a.b", "."]))).toBe("0161016200c0020178c00000");
    expect(written(write(["a.b", "a.b"]))).toBe("0161016200c000");
  });

  test("writes a name without compression, and later names can point to it", () => {
    const writer = write(["a.b", "a.b"], false);
    writer.name(scanName("a.b"), true);
    expect(written(writer)).toBe("01610162000161016200c000");
  });

  test("keeps the case of every name", () => expect(written(write(["a.b", "A.b"]))).toBe("01610162000141c002"));

  test("never writes past its end", () => {
    const memory = new Uint8Array(10);
    const writer = new Writer(memory.subarray(0, 4));
    writer.u16(1);
    expect(() => writer.u32(1)).toThrow(WireError);
    expect(() => writer.name(scanName("abc"), true)).toThrow(WireError);
    expect([...memory.subarray(4)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("makes no pointers to names that a reset removed", () => {
    const writer = write(["a.b"]);
    const mark = writer.at;
    writer.name(scanName("x.y"), true);
    writer.reset(mark);
    writer.name(scanName("y"), true);
    writer.name(scanName("x.b"), true);
    expect(written(writer)).toBe("0161016200" + "017900" + "0178c002");
  });

  test("makes no pointer that 14 bits cannot hold", () => {
    const writer = new Writer(new Uint8Array(20000));
    writer.bytes(new Uint8Array(0x4000));
    writer.name(scanName("far.away"), true);
    const before = writer.at;
    writer.name(scanName("far.away"), true);
    expect(writer.at - before).toBe(10);
  });

  test("a reader finds what was written", () => {
    const label = fc.constantFrom("a", "B", "cc", "\\000", "\\200");
    const text = fc.array(label, { maxLength: 6 }).map((labels) => `${labels.join(".")}.`);
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 12 }), (list) => {
        const writer = new Writer(new Uint8Array(3000));
        for (const [name, compress] of list) writer.name(scanName(name), compress);
        const reader = new Reader(writer.octets, 0, writer.at);
        expect(list.map(() => printName(reader.name()))).toEqual(list.map(([name]) => printName(scanName(name))));
        expect(reader.left).toBe(0);
      }),
    );
  });
});

test("octets are joined in order", () => {
  expect([...joined([Uint8Array.of(1), root, new Uint8Array(0), Uint8Array.of(2, 3)])]).toEqual([1, 0, 2, 3]);
});
