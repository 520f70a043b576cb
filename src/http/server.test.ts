import { connect } from "node:net";
import LinkHeader from "http-link-header";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { fakeClock } from "../../test/machine/clock.ts";
import { type OpenLibrary, openLibrary } from "../../test/service/library.ts";
import { defaultMostBody } from "./route/endpoint.ts";

let open: OpenLibrary;
beforeAll(async () => {
  open = await openLibrary();
});
afterAll(() => open.server.close());
beforeEach(() => {
  open.library.books = new Map([["one", { title: "One", pages: 1, tags: {} }]]);
  open.library.activity.length = 0;
  open.library.asked.length = 0;
});

interface Sent {
  readonly key?: string | null;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

async function send(method: string, path: string, { key = "librarian-key", body, headers = {} }: Sent = {}) {
  const response = await fetch(open.url + path, {
    method,
    headers: { ...(key === null ? {} : { "X-NSONE-Key": key }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text.startsWith("<") ? text : parse(text) };
}

/** Sends a request as it is written, and returns everything that comes back before the connection ends. */
async function raw({ port }: OpenLibrary, request: string): Promise<string> {
  let answer = "";
  for await (const piece of connect(port, "127.0.0.1").end(request)) answer += piece;
  return answer;
}

const parse = (text: string) => (text === "" ? undefined : JSON.parse(text));

describe("the steps of a request, each with the status of its refusal", () => {
  test.for(["/", "/v1", "/v1/"])("%s is 404, with the address of the reference", async (path) => {
    const { status, json } = await send("GET", path);
    expect([status, json.message]).toEqual([404, "no such endpoint: /docs lists the endpoints"]);
  });

  test("an unknown route is 404", async () => {
    const { status, json } = await send("GET", "/v1/nothing", { key: null });
    expect([status, json]).toEqual([
      404,
      { message: "no such endpoint", code: "missing", details: { path: "/v1/nothing" } },
    ]);
  });

  for (const method of ["PATCH", "PUT"]) {
    test(`${method} on a path with other methods only is 405 with Allow`, async () => {
      const { status, headers, json } = await send(method, "/v1/books", { body: "{}" });
      expect([status, headers.get("allow"), json.code]).toEqual([405, "GET, HEAD, OPTIONS", "method_not_allowed"]);
    });
  }

  const keyless: readonly [name: string, headers: Record<string, string>][] = [
    ["no key", {}],
    ["a wrong key", { "X-NSONE-Key": "wrong" }],
    ["an empty key", { "X-NSONE-Key": "" }],
    ["a key of 8 KB", { "X-SERVICE-Key": "k".repeat(8192) }],
    ["a key beyond ASCII", { "X-NSONE-Key": "libr\u00e4rian-key" }],
    ["a key with a blank", { "X-NSONE-Key": "librarian key" }],
    ["two different keys", { "X-NSONE-Key": "librarian-key", "X-SERVICE-Key": "reader-key" }],
    [
      "the key as a cookie or in Authorization",
      { Cookie: "X-NSONE-Key=librarian-key", Authorization: "librarian-key" },
    ],
    ["a key that names an inherited property", { "X-NSONE-Key": "constructor" }],
  ];
  for (const [name, headers] of keyless) {
    test(`${name} is 401, after one call to the service`, async () => {
      const { status, json } = await send("GET", "/v1/books", { key: null, headers });
      expect([status, json.code]).toEqual([401, "unauthenticated"]);
      expect(open.library.asked).toHaveLength(1);
    });
  }
  test("every 401 has the same body", async () => {
    const replies = await Promise.all(keyless.map(([, headers]) => send("GET", "/v1/books", { key: null, headers })));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  });
  test("a key in the query is ignored", async () => {
    expect((await send("GET", "/v1/books?X-NSONE-Key=librarian-key", { key: null })).status).toBe(401);
  });

  test("either header is accepted, in any case, and both if they are equal", async () => {
    for (const headers of [
      { "x-nsone-key": "reader-key" },
      { "X-SERVICE-KEY": "reader-key" },
      { "X-NSONE-Key": "reader-key", "X-SERVICE-Key": "reader-key" },
    ]) {
      expect((await send("GET", "/v1/books", { key: null, headers })).status).toBe(200);
    }
  });

  test("an address that is not allowed is 403", async () => {
    const { status, json } = await send("GET", "/v1/books", { key: "distant-key" });
    expect([status, json.message]).toEqual([403, "not from 127.0.0.1"]);
  });

  test("a missing right is 403, before the body is checked", async () => {
    const { status, json } = await send("PUT", "/v1/books/x", { key: "reader-key", body: "not JSON" });
    expect([status, json.message]).toEqual([403, "you may not write"]);
  });

  test("one of several rights is enough", async () => {
    const body = '{"title":"x"}';
    expect((await send("POST", "/v1/wishes", { key: "reader-key", body })).json).toBe("x");
    const { status, json } = await send("POST", "/v1/wishes", { key: "guest-key", body });
    expect([status, json.message]).toEqual([403, "you may not write"]);
  });

  test("a write with its own transaction writes no activity entry, and accepts no precondition", async () => {
    const before = open.library.activity.length;
    const wish = (headers: Record<string, string>) => send("POST", "/v1/wishes", { body: '{"title":"x"}', headers });
    expect((await wish({ "Idempotency-Key": "k" })).headers.get("idempotency-replayed")).toBeNull();
    expect((await wish({ "Idempotency-Key": "k" })).headers.get("idempotency-replayed")).toBeNull();
    expect((await wish({ "If-Match": '"x"' })).status).toBe(400);
    expect(open.library.activity.length).toBe(before);
  });

  test("a wrong field is 400, and the message names it", async () => {
    const { status, json } = await send("PUT", "/v1/books/x", { body: '{"pages":-1}' });
    expect([status, json]).toEqual([
      400,
      {
        message: 'Input validation failed: field "pages" must be an integer from 0 to 2147483647',
        code: "invalid",
        details: { field: "pages" },
      },
    ]);
  });

  test("unknown fields are warnings for callers with a key, in the reply and its header", async () => {
    const body = '{"page":1,"pages":2,"heading \\"\u00fc":1}';
    const { status, json, headers } = await send("POST", "/v1/books/one", { body });
    const warnings = ["page", 'heading "\u00fc'].map((field) => `${field}: is not known and has no effect`);
    expect([status, json.pages, json.warnings]).toEqual([200, 2, warnings]);
    expect(headers.get("warning")).toBe(
      '299 - "page: is not known and has no effect", 299 - "heading \\"?: is not known and has no effect"',
    );
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]));
    const bounded = await send("POST", "/v1/books/one", { body: JSON.stringify(many) });
    expect([bounded.json.warnings.length, bounded.json.warnings[20]]).toEqual([21, "and 80 more"]);
    expect(bounded.headers.get("warning")?.split(", ")).toHaveLength(10);
  });

  test("unknown fields are 400 for strict callers, with the field that is probably meant", async () => {
    const { status, json } = await send("PUT", "/v1/books/x?strict=true", { body: '{"page":1}' });
    const message = "page: is not known; did you mean pages?";
    expect([status, json]).toEqual([400, { message, code: "invalid", details: { field: "page" } }]);
    const read = await send("POST", "/v1/books/one?strict=1", { body: '{"pages":2,"title":"One","warnings":[]}' });
    expect([read.status, read.json.pages]).toEqual([200, 2]);
  });

  test("a missing resource is 404 with the handler's message", async () => {
    const { status, json } = await send("GET", "/v1/books/none");
    expect([status, json]).toEqual([404, { message: "book not found", code: "missing", details: { id: "none" } }]);
  });

  test("a conflict is 400", async () => {
    const { status, json } = await send("PUT", "/v1/books/one", { body: "{}" });
    expect([status, json.message, json.code]).toEqual([400, "book already exists", "conflict"]);
  });

  test("an unexpected error shows only a request id", async () => {
    const { status, json, headers } = await send("POST", "/v1/fire");
    const id = headers.get("x-request-id");
    expect([status, json]).toEqual([500, { message: `internal error, request id ${id}`, code: "internal" }]);
  });

  test("an open route needs no key", async () => {
    expect((await send("GET", "/v1/hours", { key: null })).json).toBe("always");
    expect((await send("GET", "/v1/hours", { key: "wrong" })).json).toBe("always");
  });
});

describe("writes", () => {
  test("create, change and remove answer 200 with a change id, and write one activity entry each", async () => {
    const created = await send("PUT", "/v1/books/two", { body: '{"pages":2,"tags":{"b":1,"a":2}}' });
    expect([created.status, created.text]).toEqual([200, '{"title":"two","pages":2,"tags":{"b":1,"a":2}}\n']);
    expect(created.headers.get("x-fairlead-change")).toMatch(/^change-/);
    const changed = await send("POST", "/v1/books/two", { body: '{"pages":3}' });
    expect(changed.json.pages).toBe(3);
    const removed = await send("DELETE", "/v1/books/two");
    expect([removed.status, removed.text]).toEqual([200, "{}\n"]);
    expect(open.library.activity.map(({ log: [, action] }) => action)).toEqual(["create", "update", "delete"]);
    expect(open.library.activity[2]).toMatchObject({ resource: { title: "two", pages: 3 } });
  });

  test("a write that changes nothing makes no activity entry and no change", async () => {
    const { status, headers, json } = await send("POST", "/v1/books/one", { body: '{"pages":1}' });
    expect([status, json.pages, headers.get("x-fairlead-change")]).toEqual([200, 1, null]);
    expect(open.library.activity).toEqual([]);
  });

  test("JSON is read with any Content-Type", async () => {
    for (const type of [
      undefined,
      "application/json",
      "application/x-www-form-urlencoded",
      "text/plain",
      "x",
      ";;",
      "a/b; charset=utf-16",
    ]) {
      const { status } = await send("POST", "/v1/books/one", {
        body: new TextEncoder().encode('{"pages":7}'),
        headers: type === undefined ? {} : { "Content-Type": type },
      });
      expect([type, status]).toEqual([type, 200]);
    }
  });

  test("bodies of GET and DELETE are ignored", async () => {
    expect((await send("DELETE", "/v1/books/one", { body: "{}" })).status).toBe(200);
    expect((await send("DELETE", "/v1/books/one", { body: "oops" })).status).toBe(404);
  });

  test("an empty body is accepted only if all fields are optional", async () => {
    const { status, json } = await send("POST", "/v1/books/one/large");
    expect([status, json.message]).toEqual([400, "Input validation failed: the request must have a JSON body"]);
    expect(json).not.toHaveProperty("details");
    expect((await send("PUT", "/v1/books/x")).json).toEqual({ title: "x", pages: 1, tags: {} });
    expect((await send("POST", "/v1/books/one", { body: "" })).status).toBe(200);
  });

  test("a body in a content coding is 415", async () => {
    const body = new Uint8Array([31, 139, 8, 0]);
    const { status, json } = await send("PUT", "/v1/books/x", { body, headers: { "Content-Encoding": "gzip" } });
    expect([status, json.code]).toEqual([415, "unsupported_media"]);
    const plain = await send("PUT", "/v1/books/x", { body: "{}", headers: { "Content-Encoding": "identity" } });
    expect(plain.status).toBe(200);
  });

  test("a body above the limit is 413 and ends the connection; a route may allow more", async () => {
    const body = JSON.stringify({ title: "x".repeat(defaultMostBody) });
    const { status, json, headers } = await send("PUT", "/v1/books/x", { body });
    expect([status, json.code, json.details, headers.get("connection")]).toEqual([
      413,
      "too_large",
      { limit: defaultMostBody },
      "close",
    ]);
    expect((await send("POST", "/v1/books/x/large", { body })).status).toBe(200);
    expect((await send("POST", "/v1/books/x/large", { body: `"${"x".repeat(20_000_000)}"` })).status).toBe(413);
  });

  test("a route may allow more keys", async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, n])));
    expect((await send("PUT", "/v1/books/x", { body })).json.message).toBe("JSON has more than 10000 keys");
    expect((await send("POST", "/v1/books/x/large", { body })).status).toBe(200);
  });

  test("odd key names are kept, and pollute no prototype", async () => {
    const tags = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}';
    const { text } = await send("POST", "/v1/books/one", { body: `{"tags":${tags}}` });
    expect(text).toBe(`{"title":"One","pages":1,"tags":${tags}}\n`);
    expect("polluted" in {}).toBe(false);
  });
});

describe("paths", () => {
  const echoes: readonly [path: string, params: string[]][] = [
    ["/v1/books/a/echo/b", ["a", "b"]],
    ["/v1/books/%2A.example.com/echo/*", ["*.example.com", "*"]],
    ["/v1/books/0%2F25.in-addr.arpa/echo/0%252f25", ["0/25.in-addr.arpa", "0/25"]],
    ["/v1//books///a/echo/b//", ["a", "b"]],
    ["/v1/books/%252e%252e/echo/a;b,c", ["%2e%2e", "a;b,c"]],
    [
      `/v1/books/${"a.".repeat(127)}/echo/${encodeURIComponent("\\\u00fc".repeat(255))}`,
      ["a.".repeat(127), "\\\u00fc".repeat(255)],
    ],
  ];
  for (const [path, params] of echoes) {
    test(`${path.slice(0, 60)} has the parameters ${params.join(" ").slice(0, 60)}`, async () => {
      expect((await send("GET", path)).json).toEqual(params);
    });
  }

  test("a control character or a broken escape is 400", async () => {
    for (const path of ["/v1/books/%00", "/v1/books/a%0d%0ab", "/v1/books/%ff", "/v1/books/%", "/%zz"]) {
      const { status, json } = await send("GET", path);
      expect([path, status, json.code]).toEqual([path, 400, "invalid"]);
    }
  });

  test("a URL above 16 KB is 414", async () => {
    expect((await send("GET", `/v1/books?q=${"a".repeat(16_384)}`)).status).toBe(414);
  });
});

describe("headers", () => {
  test("every answer has the rate limit headers, with whole numbers above 0", async () => {
    const answers = await Promise.all([
      send("GET", "/v1/books"),
      send("GET", "/v1/books", { key: null }),
      send("GET", "/v1/none", { key: null }),
      send("PATCH", "/v1/books"),
      send("PUT", "/v1/books/x", { body: "no" }),
      send("POST", "/v1/fire"),
      send("GET", "/v1/books/%00"),
      send("OPTIONS", "/v1/books"),
      send("GET", "/v1/openapi.json", { key: null }),
    ]);
    for (const { headers } of answers) {
      expect(headers.get("x-ratelimit-limit")).toBe("10000");
      expect(headers.get("x-ratelimit-period")).toBe("1");
      expect(headers.get("x-ratelimit-remaining")).toMatch(/^\d+$/);
      expect(headers.get("x-ratelimit-by")).toMatch(/^(customer|ip)$/);
    }
  });

  test("answers are JSON that caches must revalidate, or must not store if it contains secrets", async () => {
    const { headers } = await send("GET", "/v1/books");
    const names = ["content-type", "cache-control", "pragma", "expires", "x-content-type-options"];
    expect(names.map((name) => headers.get(name))).toEqual([
      "application/json",
      "no-cache",
      "no-cache",
      "0",
      "nosniff",
    ]);
    expect((await send("GET", "/alerting/v1/alerts")).headers.get("cache-control")).toBe("no-store");
    expect((await send("POST", "/v1/books/x/large", { body: "1" })).headers.get("cache-control")).toBe("no-store");
  });

  test("a page of any origin may call, without credentials", async () => {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "PUT" };
    const preflight = await send("OPTIONS", "/v1/books/x", { key: null, headers });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(preflight.headers.get("access-control-allow-headers")).toMatch(/X-NSONE-Key, X-SERVICE-Key, X-NSONE-Js-Api/);
    const answer = await send("GET", "/v1/books", { headers: { Origin: "null" } });
    for (const found of [preflight.headers, answer.headers]) {
      expect(found.get("access-control-allow-origin")).toBe("*");
      expect(found.get("access-control-allow-credentials")).toBeNull();
    }
    expect((await send("OPTIONS", "/v1/none", { key: null })).status).toBe(404);
  });

  test("HEAD answers like GET, without the body", async () => {
    const [head, get] = await Promise.all([send("HEAD", "/v1/books/one"), send("GET", "/v1/books/one")]);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(get.text.length));
    expect(head.headers.get("etag")).toBe(get.headers.get("etag"));
  });
});

describe("entity tags", () => {
  const tag = async () => (await send("GET", "/v1/books/one")).headers.get("etag") ?? "";

  test("a reply that the caller already has is 304", async () => {
    const etag = await tag();
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const { status, text, headers } = await send("GET", "/v1/books/one", { headers: { "If-None-Match": known } });
      expect([status, text, headers.get("etag")]).toEqual([304, "", etag]);
    }
    expect((await send("GET", "/v1/books/one", { headers: { "If-None-Match": '"x"' } })).status).toBe(200);
  });

  test("a write with the current tag succeeds, and one with an old tag is 412", async () => {
    const headers = { "If-Match": await tag() };
    expect((await send("POST", "/v1/books/one", { body: '{"pages":5}', headers })).status).toBe(200);
    const late = await send("POST", "/v1/books/one", { body: '{"pages":6}', headers });
    expect([late.status, late.json]).toEqual([
      412,
      {
        message: "If-Match: the resource has changed since it was read",
        code: "precondition_failed",
        details: { etag: await tag(), current: (await send("GET", "/v1/books/one")).json },
      },
    ]);
    expect((await send("DELETE", "/v1/books/one", { headers })).status).toBe(412);
    expect((await send("DELETE", "/v1/books/one", { headers: { "If-Match": "*" } })).status).toBe(200);
    expect((await send("DELETE", "/v1/books/one", { headers: { "If-Match": "*" } })).status).toBe(412);
  });

  test("a refusal shows the present state only to a caller that may read it", async () => {
    const sent = { key: "writer-key", body: '{"pages":6}', headers: { "If-Match": '"x"' } };
    const late = await send("POST", "/v1/books/one", sent);
    expect([late.status, late.json.details]).toEqual([412, { etag: await tag() }]);
    expect(late.headers.get("cache-control")).toBe("no-store");
  });

  test("one of ten concurrent writes with the same tag succeeds", async () => {
    const headers = { "If-Match": await tag() };
    const bodies = Array.from({ length: 10 }, (_, n) => `{"pages":${n + 100}}`);
    const answers = await Promise.all(bodies.map((body) => send("POST", "/v1/books/one", { body, headers })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(412)]);
  });

  test("If-None-Match: * writes only if the resource does not exist", async () => {
    const headers = { "If-None-Match": "*" };
    expect((await send("PUT", "/v1/books/one", { body: "{}", headers })).status).toBe(412);
    expect((await send("PUT", "/v1/books/new", { body: "{}", headers })).status).toBe(200);
  });

  test("a path without GET supports no preconditions", async () => {
    expect((await send("POST", "/v1/books/one/large", { body: "1", headers: { "If-Match": "*" } })).status).toBe(400);
  });
});

describe("Idempotency-Key", () => {
  test("a repeated request gets the same answer, and is executed once", async () => {
    const headers = { "Idempotency-Key": "create-two" };
    const first = await send("PUT", "/v1/books/two", { body: "{}", headers });
    const again = await send("PUT", "/v1/books/two", { body: "{}", headers });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get("x-fairlead-change")).toBe(first.headers.get("x-fairlead-change"));
    expect([first, again].map(({ headers }) => headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    expect(open.library.activity).toHaveLength(1);
    const other = await send("PUT", "/v1/books/two", { body: '{"pages":9}', headers });
    expect([other.status, other.json.code]).toEqual([400, "conflict"]);
    expect((await send("PUT", "/v1/books/two", { body: "{}", headers, key: "branch-key" })).status).toBe(400);
  });

  test("ten concurrent requests with the same key are executed once", async () => {
    const headers = { "Idempotency-Key": "create-three" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => send("PUT", "/v1/books/three", { body: "{}", headers })),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(open.library.activity).toHaveLength(1);
  });

  test("a request that failed may be sent again", async () => {
    const headers = { "Idempotency-Key": "later" };
    expect((await send("POST", "/v1/books/four", { body: "{}", headers })).status).toBe(404);
    await send("PUT", "/v1/books/four", { body: "{}" });
    expect((await send("POST", "/v1/books/four", { body: "{}", headers })).status).toBe(200);
  });

  test("an invalid key is 400, and on DELETE it is ignored", async () => {
    const odd = { "Idempotency-Key": "k".repeat(256) };
    expect((await send("PUT", "/v1/books/five", { body: "{}", headers: odd })).status).toBe(400);
    expect((await send("DELETE", "/v1/books/one", { headers: odd })).status).toBe(200);
  });
});

describe("pages", () => {
  const next = (link: string | null) => LinkHeader.parse(link ?? "").rel("next")[0]?.uri;

  async function* pages(path: string | undefined, headers: Record<string, string> = {}) {
    while (path !== undefined) {
      const answer = await send("GET", path, { headers });
      yield answer;
      path = next(answer.headers.get("link"))?.replace(/^https?:\/\/[^/]*/, "");
    }
  }

  beforeEach(() => {
    const names = ["a", "b;c", "d,e", "f'g", 'h"i', "j&k", "l<m>", "\u00fc"];
    open.library.books = new Map(names.map((title) => [title, { title, pages: 1, tags: {} }]));
  });

  test("Link leads through all items once", async () => {
    const titles: string[] = [];
    for await (const { json, headers } of pages("/v1/books?long=1&q=")) {
      expect(headers.get("x-total-count")).toBe("8");
      expect(json.length).toBeLessThanOrEqual(3);
      titles.push(...json.map(({ title }: { title: string }) => title));
    }
    expect(titles).toEqual([...open.library.books.keys()]);
  });

  test("the URL in Link contains no separators of the header, and keeps the query", async () => {
    for await (const { headers } of pages("/v1/books?limit=1&long=True")) {
      const link = headers.get("link");
      if (link === null) continue;
      expect(link).toMatch(/^<http:\/\/[\w.:]+\/v1\/books\?long=True&limit=1&after=[^,;'"<>\s]+>; rel="next"$/);
    }
  });

  test("the URL in Link has the configured host, else the one that the client asked, if it has the form of one", async () => {
    const path = "/v1/books?limit=1&after=%20";
    const linkAt = async (at: OpenLibrary, ...headers: string[]) => {
      for (const title of ["a", "b"]) at.library.books.set(title, { title, pages: 1, tags: {} });
      const lines = [`GET ${path} HTTP/1.${headers.length === 0 ? 0 : 1}`, ...headers, "X-NSONE-Key: reader-key"];
      const answer = await raw(at, `${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
      return /^link: <(.*)\/v1\/books\?limit=1&after=a>; rel="next"\r$/im.exec(answer)?.[1];
    };
    const own = await openLibrary();
    const forwarded = ["X-Forwarded-Proto: https", "X-Forwarded-Host: elsewhere.example"];
    expect(await linkAt(own, "Host: dns.example.net:8080", ...forwarded)).toBe("http://dns.example.net:8080");
    expect(await linkAt(own, "Host: [2001:db8::1]:8080")).toBe("http://[2001:db8::1]:8080");
    for (const host of ["a>b", "a/b", "a@b", "a b", "a,b", ":80", "a:http", "[x]", ""]) {
      expect([host, await linkAt(own, `Host: ${host}`)]).toEqual([host, ""]);
    }
    expect(await linkAt(own)).toBe("");
    await own.server.close();
    const configured = await openLibrary({ linkBase: "https://library.example/dns", trustedProxies: ["127.0.0.0/8"] });
    expect(await linkAt(configured, "Host: localhost", ...forwarded)).toBe("https://library.example/dns");
    await configured.server.close();
  });

  test("limit is clamped to the page size, and invalid values are 400", async () => {
    expect((await send("GET", "/v1/books?limit=1000000000")).json).toHaveLength(3);
    expect((await send("GET", "/v1/books?limit=2")).json).toHaveLength(2);
    for (const limit of ["0", "-1", "1e9", "NaN", "", "1.5", "9".repeat(30)]) {
      expect([limit, (await send("GET", `/v1/books?limit=${limit}`)).status]).toEqual([limit, 400]);
    }
    expect((await send("GET", "/v1/books?limit=1&limit=2")).status).toBe(400);
    expect((await send("GET", `/v1/books?after=${"a".repeat(3000)}`)).status).toBe(400);
    expect((await send("GET", "/v1/books?after=zzz")).json).toEqual([{ title: "\u00fc" }]);
  });
});

describe("behind a proxy", () => {
  let behind: OpenLibrary;
  beforeAll(async () => {
    behind = await openLibrary({ trustedProxies: ["127.0.0.0/8"] });
    for (const title of ["a", "b", "c", "d"]) behind.library.books.set(title, { title, pages: 1, tags: {} });
  });
  afterAll(() => behind.server.close());

  const get = (headers: Record<string, string>) => fetch(`${behind.url}/v1/books`, { headers });

  test("the caller's address is the one that the proxy reports", async () => {
    const headers = { "X-NSONE-Key": "distant-key" };
    expect((await get({ ...headers, "X-Forwarded-For": "192.0.2.1" })).status).toBe(200);
    expect((await get({ ...headers, "X-Forwarded-For": "192.0.2.1, 198.51.100.9" })).status).toBe(403);
    const mine = await fetch(`${open.url}/v1/books`, { headers: { ...headers, "X-Forwarded-For": "192.0.2.1" } });
    expect(mine.status).toBe(403);
  });

  test("links have the scheme that the caller used", async () => {
    const headers = { "X-NSONE-Key": "reader-key", "X-Forwarded-Host": "dns.example.net" };
    const link = async (scheme: string) => (await get({ ...headers, "X-Forwarded-Proto": scheme })).headers.get("link");
    expect(await link("https")).toBe('<https://dns.example.net/v1/books?limit=3&after=c>; rel="next"');
    expect(await link("javascript")).toBe(`<${behind.url}/v1/books?limit=3&after=c>; rel="next"`);
  });
});

describe("rate limits", () => {
  test("requests are counted by account and method, and a refusal has Retry-After", async () => {
    const clock = fakeClock();
    const { library, url, server } = await openLibrary({ clock });
    library.limit = { limit: 2, period: 60 };
    const ask = (key: string, init: RequestInit = {}, path = "/v1/books") =>
      fetch(url + path, { ...init, headers: { "X-NSONE-Key": key } });
    expect((await ask("reader-key")).headers.get("x-ratelimit-remaining")).toBe("1");
    expect((await ask("librarian-key", {}, "/V1//books/")).status).toBe(404);
    expect((await ask("librarian-key", {}, "//v1/books/")).status).toBe(200);
    const over = await ask("reader-key");
    expect(over.status).toBe(429);
    expect(await over.json()).toEqual({
      message: "Rate limit exceeded",
      code: "limited",
      details: { limit: 2, period: 60, retry_after: 30 },
    });
    const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-period", "x-ratelimit-by", "retry-after"];
    expect(names.map((name) => over.headers.get(name))).toEqual(["2", "0", "60", "customer", "30"]);
    expect((await ask("branch-key")).status).toBe(200);
    expect((await ask("librarian-key", { method: "PUT", body: "{}" }, "/v1/books/x")).status).toBe(200);
    clock.advance(30_000);
    expect((await ask("reader-key")).status).toBe(200);
    await server.close();
  });

  test("requests without a key are counted by address", async () => {
    const { library, url, server } = await openLibrary({ clock: fakeClock() });
    library.limit = { limit: 3, period: 60 };
    const statuses: number[] = [];
    for (const path of ["/v1/books", "/v1/none", "/v1/hours", "/v1/books", "/v1/none"]) {
      statuses.push((await fetch(url + path)).status);
    }
    expect(statuses).toEqual([401, 404, 200, 429, 429]);
    await server.close();
  });

  test("an IPv6 /48 has ten times the limit of one address, whatever its number of /64s", async () => {
    const { library, url, server } = await openLibrary({ clock: fakeClock(), trustedProxies: ["127.0.0.1"] });
    library.limit = { limit: 1, period: 60 };
    const from = async (address: string) =>
      (await fetch(`${url}/v1/hours`, { headers: { "x-forwarded-for": address } })).status;
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push(await from(`2001:db8:1:${n}::1`));
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
    expect(await from("2001:db8:2::1")).toBe(200);
    await server.close();
  });
});

describe("extra endpoints and metrics", () => {
  test("health answers without limits, and durations are counted by route and status", async () => {
    const registry = new Registry();
    const { library, url, server } = await openLibrary({
      registry,
      extra: [
        { path: "/healthz", run: () => ({ body: "ok\n" }) },
        { path: "/readyz", run: async () => ({ status: 503, type: "application/json", body: '{"ready":false}\n' }) },
      ],
    });
    library.limit = { limit: 1, period: 60 };
    const health = await Promise.all([1, 2, 3].map(() => fetch(`${url}/healthz`)));
    expect(health.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
      Array(3).fill([200, "text/plain; charset=utf-8"]),
    );
    expect((await fetch(`${url}/readyz/`)).status).toBe(503);
    await fetch(`${url}/v1/books/a%20b`, { headers: { "X-NSONE-Key": "reader-key" } });
    await fetch(`${url}/v1/none/${"x".repeat(50)}`);
    const metrics = await registry.metrics();
    expect(metrics).toContain('_count{method="GET",route="/v1/books/:id",status="404"} 1');
    expect(metrics).toContain('_count{method="GET",route="unrouted",status="404"} 1');
    await server.close();
  });
});

describe("the description of the API", () => {
  test("the OpenAPI document is public", async () => {
    const { status, json } = await send("GET", "/v1/openapi.json", { key: null });
    expect([status, json.openapi, json.info.title]).toEqual([200, "3.1.0", "Library <API>"]);
  });

  test("the OpenAPI document is compressed for clients that accept it, and has a tag", async () => {
    const get = (headers: Record<string, string>) => send("GET", "/v1/openapi.json", { key: null, headers });
    const zipped = await get({ "Accept-Encoding": "gzip" });
    const plain = await get({ "Accept-Encoding": "identity" });
    expect([zipped, plain].map(({ headers }) => headers.get("content-encoding"))).toEqual(["gzip", null]);
    expect(zipped.json).toEqual(plain.json);
    expect((await get({ "If-None-Match": plain.headers.get("etag")! })).status).toBe(304);
  });

  test("the reference page loads nothing from other servers", async () => {
    const { status, headers, text } = await send("GET", "/docs/", { key: null });
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self';/);
    expect(text).toContain("<title>Library &lt;API&gt;</title>");
    const sources = [...text.matchAll(/(?:src|href|data-url)="([^"]*)"/g)].map(([, source]) => source ?? "");
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) {
      const answer = await fetch(open.url + source);
      expect([source, answer.status]).toEqual([source, 200]);
      expect((await answer.text()).length).toBeGreaterThan(1000);
    }
  });
});
