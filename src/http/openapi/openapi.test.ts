import { describe, expect, test } from "vitest";
import { libraryRoutes } from "../../../test/service/library.ts";
import { openapiOf } from "./openapi.ts";

const document = openapiOf(libraryRoutes, { title: "Library", version: "1" });
const operation = (path: string, method: string) => document.paths[path]?.[method];

describe("the OpenAPI document", () => {
  test("it depends on the routes only", () => {
    expect(openapiOf(libraryRoutes, { title: "Library", version: "1" })).toEqual(document);
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("it contains every route once, with a unique id", () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    );
    expect(operations.sort()).toEqual(libraryRoutes.map(({ method, path }) => `${method} ${path}`).sort());
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((entry) => entry));
    expect(new Set(ids.map((entry) => JSON.stringify(entry))).size).toBe(libraryRoutes.length);
  });

  test("an operation has its parameters, right and schemas", () => {
    expect(operation("/v1/books/{id}", "put")).toMatchObject({
      operationId: "put_v1_books_id",
      tags: ["Books"],
      description: expect.stringContaining("Needs the right `write`."),
      "x-right": "write",
      "x-activity": ["book", "create"],
      parameters: [
        { name: "id", in: "path", required: true },
        { $ref: "#/components/parameters/Strict" },
        { $ref: "#/components/parameters/IfMatch" },
        { $ref: "#/components/parameters/IdempotencyKey" },
      ],
      requestBody: { required: false, content: { "application/json": { schema: { type: "object" } } } },
      responses: { 200: { content: { "application/json": { schema: { required: ["title", "pages", "tags"] } } } } },
    });
    expect(operation("/v1/books/{id}/large", "post")).toMatchObject({ requestBody: { required: true } });
  });

  test("a listing has its query parameters and paging", () => {
    expect(operation("/v1/books", "get")).toMatchObject({
      parameters: [
        { name: "long", in: "query", required: false, description: "whole books", schema: { type: "boolean" } },
        { name: "least", schema: { type: "integer", minimum: 0 } },
        { name: "q" },
        { name: "limit", schema: { type: "integer", minimum: 1 } },
        { name: "after" },
        { $ref: "#/components/parameters/Strict" },
        { $ref: "#/components/parameters/IfNoneMatch" },
      ],
      responses: {
        200: { headers: { Link: {}, ETag: {}, "X-RateLimit-Limit": {} } },
        401: { $ref: "#/components/responses/Unauthenticated" },
        503: { $ref: "#/components/responses/Unavailable" },
      },
    });
  });

  test("a write has the change header, and the refusals of its body", () => {
    const { responses } = operation("/v1/books/{id}", "put") as { responses: Record<string, object> };
    expect(responses).toMatchObject({ 200: { headers: { "X-Fairlead-Change": {}, "Idempotency-Replayed": {} } } });
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["405", "412", "413", "415", "507"]));
    const { responses: ofRead } = operation("/v1/books/{id}", "get") as { responses: Record<string, object> };
    expect(Object.keys(ofRead).filter((status) => ["405", "412", "413", "507"].includes(status))).toEqual([]);
  });

  test("an open route needs no key; all others accept either header", () => {
    expect(operation("/v1/hours", "get")).toMatchObject({ security: [] });
    expect(document.security).toEqual([{ nsone_key: [] }, { service_key: [] }, { session: [] }]);
    expect(document.components.securitySchemes.service_key.name).toBe("X-SERVICE-Key");
  });

  test("every reference has a target", () => {
    for (const [, pointer = ""] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]*)"/g)) {
      const found = pointer.split("/").reduce<unknown>((at, step) => Reflect.get(Object(at), step), document);
      expect([pointer, typeof found]).toEqual([pointer, "object"]);
    }
  });
});
