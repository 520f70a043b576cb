import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/runs.ts";
import { Problem } from "../../lib/problem.ts";
import { excessIn } from "./bounds.ts";
import { parseJson } from "./json.ts";

const parse = (text: string, limits?: Parameters<typeof parseJson>[1]) => parseJson(Buffer.from(text), limits);

function refusal(run: () => unknown): { message: string; field: unknown } {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem && error.code === "invalid") {
      return { message: error.message, field: error.details?.["field"] };
    }
    throw error;
  }
  throw new Error("it was accepted");
}

describe("strict JSON", () => {
  test("an empty body is undefined", () => expect(parse("")).toBeUndefined());

  test("the output of JSON.stringify is parsed to the same value", () => {
    const value = fc.jsonValue({ maxDepth: 5, stringUnit: anyCharacter });
    fc.assert(
      fc.property(value, (document) => {
        const text = JSON.stringify(document);
        fc.pre(!text.includes("\\u0000") && !/\d{16}/.test(text) && !text.includes("e+"));
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  const refused: readonly [name: string, text: string, message: string, field?: string][] = [
    ["text that is not JSON", "{oops", "the body is not valid JSON"],
    ["a byte order mark", "\ufeff{}", "byte order mark"],
    ["nesting 33 deep", `${"[".repeat(33)}${"]".repeat(33)}`, "nested deeper than 32", "[0]".repeat(32)],
    ["nesting 100,000 deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "nested deeper than 32"],
    ["a number that overflows", '{"a":[1,1e400]}', "a number is too large", "a[1]"],
    ["an integer that would be rounded", '{"a":{"b":9007199254740993}}', "beyond 2^53-1", "a.b"],
    ["a negative integer that would be rounded", '{"a":-9007199254740993}', "beyond 2^53-1", "a"],
    ["a NUL in a string", '{"a":["x","y\\u0000"]}', "NUL", "a[1]"],
    ["a NUL in a key", '{"a":{"\\u0000":1}}', "a key contains a NUL"],
    ["half of a surrogate pair", '["\\ud800"]', "surrogate", "[0]"],
  ];
  for (const [name, text, message, field] of refused) {
    test(`${name} is refused${field === undefined ? "" : " with its position"}`, () => {
      const found = refusal(() => parse(text));
      expect(found.message).toContain(message);
      if (field !== undefined) expect(found.field).toBe(field);
    });
  }

  test("32 levels, 10,000 keys and 2^53-1 are accepted", () => {
    expect(() => parse(`${"[".repeat(32)}${"]".repeat(32)}`)).not.toThrow();
    expect(() =>
      parse(JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [n, n])))),
    ).not.toThrow();
    expect(parse("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
  });

  test("10,001 keys in several objects are refused, unless the limit is higher", () => {
    const text = JSON.stringify(Array.from({ length: 10_001 }, () => ({ a: 1 })));
    expect(refusal(() => parse(text)).message).toBe("JSON has more than 10000 keys");
    expect(() => parse(text, { depth: 32, values: 20_003, keys: 20_000 })).not.toThrow();
  });

  const few = { depth: 4, values: 5, keys: 3 };

  test("values are counted exactly: containers, empty or not, and what is in them", () => {
    for (const text of ['[1,"a",null,[]]', '{"a":{"b":[[ ]]},"c":1}', "[[],[\n],{}, {} ]", ' "[1,2,3,4,5,6]" ']) {
      expect(() => parse(text, few)).not.toThrow();
    }
    for (const text of ["[1,2,3,4,5]", "[[],[],{},{},[]]", '{"a":[1,2,3,4]}']) {
      expect(refusal(() => parse(text, few)).message).toBe("JSON has more than 5 values");
    }
    expect(refusal(() => parse('{"a":{"b":1},"c":0,"d":0}', few)).message).toBe("JSON has more than 3 keys");
  });

  test("the count of values, keys and levels agrees with the parsed document", () => {
    const sizes = (value: unknown): { values: number; keys: number; depth: number } => {
      if (typeof value !== "object" || value === null) return { values: 1, keys: 0, depth: 0 };
      const inner = Object.values(value).map(sizes);
      return {
        values: 1 + inner.reduce((sum, { values }) => sum + values, 0),
        keys: (Array.isArray(value) ? 0 : inner.length) + inner.reduce((sum, { keys }) => sum + keys, 0),
        depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
      };
    };
    const value = fc.jsonValue({ maxDepth: 6, stringUnit: anyCharacter });
    fc.assert(
      fc.property(value, fc.nat(3), (document, indent) => {
        const octets = Buffer.from(JSON.stringify(document, null, indent));
        const exact = sizes(document);
        expect(excessIn(octets, exact)).toBeUndefined();
        for (const limit of ["values", "keys", "depth"] as const) {
          const fault = excessIn(octets, { ...exact, [limit]: exact[limit] - 1 });
          if (exact[limit] > 0) expect(fault?.message).toContain(limit === "depth" ? "nested" : limit);
        }
      }),
    );
  });

  test("a fault names its position", () => {
    const limits = { depth: 3, values: 100, keys: 100 };
    expect(refusal(() => parse('{"x":1,"a\\"b":[0,{"c":[]}]}', limits)).field).toBe('a\\"b[1].c');
    expect(refusal(() => parse("]]]]}[[[[", limits)).message).toBe("JSON is nested deeper than 3");
  });

  test("two million brackets are refused at the first that is too deep, without building anything", () => {
    const octets = Buffer.from("[".repeat(1_000_000) + "]".repeat(1_000_000));
    const started = performance.now();
    for (let n = 0; n < 100; n++) refusal(() => parseJson(octets));
    const refused = performance.now() - started;
    const built = performance.now();
    JSON.parse(octets.toString());
    expect(refused).toBeLessThan(performance.now() - built);
  });

  test("invalid UTF-8 is refused with the position of the octet", () => {
    const octets = Buffer.concat([Buffer.from('{"a":"\ufffd'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
    expect(refusal(() => parseJson(octets)).message).toBe("the body is not valid UTF-8 at octet 9");
  });

  test("the last of duplicate keys is used", () => expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 }));

  test("__proto__ is an ordinary key and changes no prototype", () => {
    const value = parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect("polluted" in {}).toBe(false);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("random octets yield a value or a Problem", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (octets) => {
        try {
          parseJson(octets);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});
