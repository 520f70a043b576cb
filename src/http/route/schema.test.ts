import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { checkOf } from "./schema.ts";

const check = checkOf(
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647 })),
    link: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"] })),
    kind: Type.Optional(Type.Union([Type.Literal("a"), Type.Literal("b")])),
    mode: Type.Optional(Type.Enum(["x", "y"])),
    secondary: Type.Optional(Type.Union([Type.Object({ enabled: Type.Boolean() }), Type.Null()])),
    answers: Type.Optional(
      Type.Array(Type.Object({ answer: Type.Array(Type.String(), { minItems: 1 }) }), { maxItems: 2 }),
    ),
    tags: Type.Optional(Type.Record(Type.String(), Type.String())),
    rules: Type.Optional(Type.Array(Type.Object({ id: Type.Integer() }, { examples: [{ id: 1 }] }))),
    closed: Type.Optional(Type.Object({}, { additionalProperties: false })),
  }),
);

describe("a check against a schema", () => {
  const cases: readonly [body: unknown, field: string, must: string][] = [
    [{}, "name", "is required"],
    [[], "", "must be an object"],
    [null, "", "must be an object"],
    [{ name: "" }, "name", "must be a string of 1 to 5 characters"],
    [{ name: 1 }, "name", "must be a string of 1 to 5 characters"],
    [{ name: "a", ttl: -1 }, "ttl", "must be an integer from 0 to 2147483647"],
    [{ name: "a", ttl: "3600" }, "ttl", "must be an integer from 0 to 2147483647"],
    [{ name: "a", ttl: 1.5 }, "ttl", "must be an integer from 0 to 2147483647"],
    [{ name: "a", ttl: null }, "ttl", "must be an integer from 0 to 2147483647"],
    [{ name: "a", link: 1 }, "link", "must be a string or null"],
    [{ name: "a", kind: "c" }, "kind", 'must be "a" or "b"'],
    [{ name: "a", mode: "z" }, "mode", 'must be one of "x", "y"'],
    [{ name: "a", secondary: 1 }, "secondary", "must be an object or null"],
    [{ name: "a", secondary: { enabled: "yes" } }, "secondary.enabled", "must be true or false"],
    [{ name: "a", answers: [{ answer: [] }] }, "answers[0].answer", "must be an array of at least 1 item"],
    [{ name: "a", answers: [{ answer: ["x"] }, {}] }, "answers[1].answer", "is required"],
    [{ name: "a", answers: [{ answer: ["x", 2] }] }, "answers[0].answer[1]", "must be a string"],
    [
      { name: "a", answers: [1, 2, 3].map(() => ({ answer: ["x"] })) },
      "answers",
      "must be an array of at most 2 items",
    ],
    [{ name: "a", tags: { "a/b": 1 } }, "tags.a/b", "must be a string"],
    [{ name: "a", rules: [1] }, "rules[0]", 'must be an object such as {"id":1}'],
    [{ name: "a", rules: 1 }, "rules", 'must be an array such as [{"id":1}]'],
    [{ name: "a", closed: { x: 1 } }, "closed.x", "is not known"],
  ];
  for (const [body, field, must] of cases) {
    test(`${JSON.stringify(body)} is refused: ${field} ${must}`, () => expect(check(body)).toEqual({ field, must }));
  }

  test("unknown fields are accepted and no value is coerced", () => {
    const body = { name: "a", more: 1, ttl: 5 };
    expect(check(body)).toBeUndefined();
    expect(body).toEqual({ name: "a", more: 1, ttl: 5 });
  });
});
