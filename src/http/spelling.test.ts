import { Type } from "typebox";
import { expect, test } from "vitest";
import { routeFor } from "./route.ts";
import { fieldsByTag, meantBy } from "./spelling.ts";

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

test("routes of a tag know one another's fields, of bodies and of replies", () => {
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
  expect([...fields].map(([tag, known]) => [tag, [...known]])).toEqual([
    ["A", ["name", "id", "names"]],
    ["B", ["other"]],
  ]);
});
