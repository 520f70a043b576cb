import fc from "fast-check";
import { type TSchema, Type } from "typebox";
import { describe, expect, test } from "vitest";
import { printedAs, printerOf } from "./reply.ts";

const print = (schema: TSchema, value: unknown) => printerOf(schema, false).print(value).trimEnd();
const Free = Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });

describe("replies", () => {
  test("keys are in the schema's order, and unknown keys are left out", () => {
    const schema = Type.Object({ domain: Type.String(), type: Type.String(), ttl: Type.Optional(Type.Integer()) });
    expect(print(schema, { type: "A", secret: 1, domain: "x" })).toBe('{"domain":"x","type":"A"}');
  });

  test("compact JSON ends in a newline", () => {
    expect(printerOf(Type.Array(Type.Integer()), false).print([1, 2])).toBe("[1,2]\n");
  });

  test("a status reply and an undefined result are an empty object", () => {
    expect(printerOf("status", false).print({ id: 1 })).toBe("{}\n");
    expect(printerOf(Type.Object({}), false).print(undefined)).toBe("{}\n");
  });

  test("a reply that a thread has printed is its text, which is checked where replies are", () => {
    const warnings = Type.Array(Type.Object({ code: Type.String() }));
    const schema = Type.Object({ name: Type.String(), warnings });
    const text = '{"name":"x","warnings":[]}';
    expect(printerOf(schema, true).print(printedAs(text), ["a warning of the request"])).toBe(`${text}\n`);
    expect(() => printerOf(schema, true).print(printedAs('{"name":1}'))).toThrow("the reply does not fit its schema");
  });

  test("null stays null", () => {
    const schema = Type.Object({ link: Type.Unsafe<string | null>({ type: ["string", "null"] }) });
    expect(print(schema, { link: null })).toBe('{"link":null}');
  });

  test("free-form objects keep all keys in their own order", () => {
    const config = JSON.parse('{"z":1,"a":{"y":null},"__proto__":{"b":2},"toString":3}');
    expect(print(Type.Object({ config: Free }), { config })).toBe(`{"config":${JSON.stringify(config)}}`);
    expect(print(Free, config)).toBe(JSON.stringify(config));
  });

  test("a table of objects keeps its keys, and the objects lose unknown fields", () => {
    const schema = Type.Record(Type.String(), Type.Object({ name: Type.String() }));
    const value = JSON.parse('{"__proto__":{"name":"a","x":1},"b":{"name":"b"}}');
    expect(print(schema, value)).toBe('{"__proto__":{"name":"a"},"b":{"name":"b"}}');
  });

  test("the alternative that fits is used", () => {
    const schema = Type.Array(
      Type.Union([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() }), Type.Null()]),
    );
    expect(print(schema, [{ a: "x", b: 1 }, { b: 1, c: 2 }, null])).toBe('[{"a":"x"},{"b":1},null]');
  });

  test("an intersection keeps the fields of all its schemas", () => {
    const schema = Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() })]);
    expect(print(schema, { b: 1, a: "x", c: 2 })).toBe('{"a":"x","b":1}');
  });

  test("strict mode refuses a reply that does not fit", () => {
    expect(() => printerOf(Type.Object({ a: Type.String() }), true).print({ a: 1 })).toThrow(
      "does not fit its schema: /a",
    );
  });

  test("a value of an open schema is printed like JSON.stringify prints it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(print(Type.Any(), value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test("a reply with a long list is printed in steps, and its text is the same", async () => {
    const Item = Type.Object({ id: Type.Integer(), free: Type.Optional(Free) });
    const items = Array.from({ length: 100 }, (_, id) => ({
      id,
      other: 1,
      ...(id % 2 === 0 ? { free: { a: [id] } } : {}),
    }));
    const cases = [
      [Type.Array(Item), items],
      [Type.Array(Type.Integer()), items.map(({ id }) => id)],
      [
        Type.Object({ a: Type.String(), items: Type.Array(Item), z: Type.Optional(Item) }),
        { z: items[0], items, a: "x" },
      ],
      [
        Type.Object({ items: Type.Array(Item), warnings: Type.Array(Type.String()), z: Type.Null() }),
        { items, warnings: ["own"], z: null },
      ],
    ] as const;
    for (const [schema, value] of cases) {
      const { print, printInSteps } = printerOf(schema, false);
      for (const warnings of [[], ["one", "two"]]) {
        const pieces = printInSteps(value, warnings);
        expect(pieces).toBeInstanceOf(Promise);
        expect(((await pieces) as readonly string[]).join("")).toBe(print(value, warnings));
      }
    }
    const { printInSteps } = printerOf(Type.Array(Item), false);
    expect(printInSteps(items.slice(1))).toBe(printerOf(Type.Array(Item), false).print(items.slice(1)));
  });
});
