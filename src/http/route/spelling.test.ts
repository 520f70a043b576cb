import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { routeFor } from "./route.ts";
import { fieldsByTag, meantBy, mostCompared, type UnknownField, unknownFieldsIn } from "./spelling.ts";
import { mostWarnings } from "./warnings.ts";

const declared = ["ttl", "at", "answers", "permissions", "teams"];

test.for([
  ["answer", "answers"],
  ["answres", "answers"],
  ["answerss", "answers"],
  ["Answers", "answers"],
  ["ttll", "ttl"],
  ["tl", "ttl"],
  ["team", "teams"],
  ["permission", "permissions"],
  ["permision", "permissions"],
  ["premisions", "permissions"],
])("%s is meant to be %s", ([name, field]) => {
  expect(meantBy(name!, declared)).toBe(field);
});

test.for([
  "t",
  "a",
  "att",
  "anser",
  "anserws",
  "perms",
  "permits",
  "id",
  "",
  "tls_",
  "short_answers",
  "t\u0000t\u0000l",
])("%s is a field of its own", (name) => {
  expect(meantBy(name, declared)).toBeUndefined();
});

test("routes with the same tag share the known fields of their bodies and replies", () => {
  const route = routeFor<"any", undefined>();
  const common = { path: "/things", summary: "", right: "any", run: async () => undefined } as const;
  const fields = fieldsByTag([
    route({ ...common, method: "PUT", tag: "A", body: Type.Object({ name: Type.String() }), reply: "status" }),
    route({
      ...common,
      method: "GET",
      tag: "A",
      reply: Type.Array(Type.Union([Type.Object({ id: Type.String() }), Type.Object({ names: Type.String() })])),
    }),
    route({ ...common, method: "POST", tag: "B", body: Type.Object({ other: Type.String() }), reply: "status" }),
  ]);
  expect([...fields].map(([tag, known]) => [tag, [...known.get("")!]])).toEqual([
    ["A", ["name", "id", "names"]],
    ["B", ["other"]],
  ]);
});

describe("inside lists, objects and tables", () => {
  const Rule = Type.Object({ domain: Type.String(), type: Type.Optional(Type.String()) });
  const schema = Type.Object({
    rules: Type.Optional(Type.Array(Rule)),
    groups: Type.Optional(Type.Unsafe({ type: "object", additionalProperties: { properties: { meta: {} } } })),
    limits: Type.Optional(Type.Object({ burst: Type.Optional(Type.Integer()) })),
    kept: Type.Optional(Type.Unsafe({ type: "object", properties: { name: {} }, additionalProperties: true })),
    free: Type.Optional(Type.Unsafe({ type: "object", additionalProperties: true })),
  });
  const tagFields = new Map([["", new Set(["types", "domains"])]]);
  const find = unknownFieldsIn(schema, tagFields);
  const found = (body: unknown) => {
    const fields: UnknownField[] = [];
    find(body, (field) => fields.push(field));
    return fields;
  };

  test.for([
    [{ rules: [{ domain: "a" }, { domian: "b" }] }, ["rules", 1, "domian"], "domain"],
    [{ rules: [{ domain: "a", typ: "A" }] }, ["rules", 0, "typ"], "type"],
    [{ rules: [{ domains: "a" }] }, ["rules", 0, "domains"], "domain"],
    [{ groups: { eu: { meta: {} }, us: { mta: {} } } }, ["groups", "us", "mta"], "meta"],
    [{ limits: { brust: 1 } }, ["limits", "brust"], "burst"],
    [{ kept: { nane: 1, other: 2 } }, ["kept", "nane"], "name"],
    [{ warning: [] }, ["warning"], undefined],
  ] as const)("%j has an unknown field", ([body, path, meant]) => {
    expect(found(body)).toEqual([{ path, meant }]);
  });

  test("every unknown field is found", () => {
    const body = {
      limit: { brust: 1 },
      rules: [{ domain: "a", comment: "c", domian: "b" }],
      groups: { us: { x: {} } },
    };
    expect(found(body).map(({ path, meant }) => [path.join("."), meant])).toEqual([
      ["limit", "limits"],
      ["rules.0.comment", undefined],
      ["rules.0.domian", undefined],
      ["groups.us.x", undefined],
    ]);
  });

  test.for([
    { rules: [{ domain: "a", types: ["A"] }], warnings: ["of a reply"] },
    { rules: null, groups: { us: null, eu: [] }, limits: "none", free: { brust: 1, mta: 2 }, kept: { other: 1 } },
    { rules: { 0: 1 }, groups: [1, { meta: 1 }], limits: [{ brust: 1 }] },
    [{ rule: [] }],
    null,
  ])("%j has no unknown field", (body) => {
    expect(found(body)).toEqual([]);
  });

  test("the first unknown fields are named, the others counted; absent fields are gathered once for an object", () => {
    const names = Array.from({ length: 9000 }, (_, i) => `x${i}`);
    let asked = 0;
    const body = new Proxy(Object.fromEntries(names.map((name) => [name, 1])), {
      getOwnPropertyDescriptor(target, name) {
        asked++;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    const fields: UnknownField[] = [];
    expect(find(body, (field) => fields.push(field))).toBe(names.length - mostWarnings);
    expect(fields.map(({ path }) => path[0])).toEqual(names.slice(0, mostWarnings));
    expect(asked).toBeLessThanOrEqual(names.length + Object.keys(schema.properties).length);
  });

  test("only some names of a body are compared with declared fields", () => {
    const others = (count: number) => Array.from({ length: count }, (_, i) => [`x${i}`, 1]);
    const kept = (count: number) => Object.fromEntries([...others(count), ["nane", 1]]);
    expect(found({ kept: kept(mostCompared - 1) })).toEqual([{ path: ["kept", "nane"], meant: "name" }]);
    expect(found({ kept: kept(mostCompared) })).toEqual([]);
  });
});
