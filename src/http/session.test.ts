/** Sessions in cookies: the requests that may use a session, and requests from other sites. */
import { afterAll, describe, expect, test } from "vitest";
import { openLibrary } from "../../test/service/library.ts";
import { composeCookie, cookieOf } from "./message/cookie.ts";

const open = await openLibrary({ trustedProxies: ["127.0.0.1"] });
const secure = await openLibrary({ publicUrl: "https://library.example" });
afterAll(() => Promise.all([open.server.close(), secure.server.close()]));

const origin = "http://library.example";
const session = { Cookie: "other=1; fairlead=a-session" };
const page = { ...session, Origin: origin, "X-CSRF-Token": "a-token", "Content-Type": "application/json" };
type Headers = Readonly<Record<string, string | undefined>>;

async function send(method: string, path: string, headers: Headers, { body = "{}", at = open.url } = {}) {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const hasBody = method !== "GET" && method !== "DELETE";
  return await fetch(at + path, {
    method,
    headers: given,
    ...(hasBody ? { body: new Blob([body]) } : {}),
  });
}
const statusOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;
let count = 0;
const write = (headers: Headers) => statusOf("PUT", `/v1/books/s${++count}`, headers);

test("a session can read with nothing but its cookie, and write from pages of the service", async () => {
  expect(await statusOf("GET", "/v1/books", session)).toBe(200);
  expect(await statusOf("GET", "/v1/books", { Cookie: "fairlead=another" })).toBe(401);
  expect(await write(page)).toBe(200);
  expect(await statusOf("DELETE", `/v1/books/s${count}`, { ...page, "Content-Type": undefined })).toBe(200);
  expect(
    await statusOf("POST", "/v1/books/x/large", { ...page, "Content-Type": "application/json; charset=utf-8" }),
  ).toBe(200);
});

test("unknown fields and parameters are refused with a session, unless it asks for warnings", async () => {
  const book = `/v1/books/s${++count}`;
  const body = '{"heading":1}';
  expect(await statusOf("PUT", book, page, { body })).toBe(400);
  expect(await statusOf("GET", "/v1/books?foo=1", session)).toBe(400);
  expect(await statusOf("GET", "/v1/books?foo=1&strict=false", session)).toBe(200);
  const answer = await send("PUT", `${book}?strict=false`, page, { body });
  expect([answer.status, answer.headers.get("warning")]).toEqual([200, expect.stringMatching(/^299 - "heading: /)]);
});

describe("a write with a session", () => {
  const refused: readonly [name: string, headers: Headers, status: number][] = [
    ["from another site", { Origin: "http://evil.example" }, 403],
    ["from another port", { Origin: `${origin}:8080` }, 403],
    ["from a host whose name ends like ours", { Origin: "http://evil-library.example" }, 403],
    ["from a host below ours", { Origin: "http://evil.library.example" }, 403],
    ["from a host whose name begins like ours", { Origin: "http://library.example.evil.example" }, 403],
    ["from a hidden origin", { Origin: "null" }, 403],
    ["without Origin and Referer", { Origin: undefined }, 403],
    ["with the Referer of another site", { Origin: undefined, Referer: `http://evil.example/${origin}` }, 403],
    ["without the token", { "X-CSRF-Token": undefined }, 403],
    ["with another token", { "X-CSRF-Token": "guess" }, 403],
    ["with the type of plain text", { "Content-Type": "text/plain" }, 415],
    ["with the type of a form", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
    ["with a type that only begins like JSON", { "Content-Type": "application/jsonp" }, 415],
    ["without a type", { "Content-Type": undefined }, 415],
  ];
  for (const [name, headers, status] of refused) {
    test(`${name} is ${status}`, async () => {
      expect(await write({ ...page, ...headers })).toBe(status);
      expect(open.library.books.has(`s${count}`)).toBe(false);
    });
  }

  test("can have its origin in Referer, and the origin of the requested host", async () => {
    expect(await write({ ...page, Origin: undefined, Referer: `${origin}/zones?x=1` })).toBe(200);
    expect(await write({ ...page, Origin: open.url })).toBe(200);
    const proxied = { "X-Forwarded-Proto": "https", "X-Forwarded-Host": "dns.example" };
    expect(await write({ ...page, ...proxied, Origin: "https://dns.example" })).toBe(200);
    expect(await write({ ...page, ...proxied, Origin: "http://dns.example" })).toBe(403);
  });
});

test("a key takes precedence: a session sent with it is ignored, and the origin is not checked", async () => {
  const key = { "X-NSONE-Key": "librarian-key", Cookie: "fairlead=a-session", Origin: "http://evil.example" };
  expect(await write(key)).toBe(200);
  expect(await write({ ...page, "X-NSONE-Key": "reader-key" })).toBe(403);
  for (const wrong of ["wrong", "", "k".repeat(300)]) {
    expect(await statusOf("GET", "/v1/books", { ...session, "X-NSONE-Key": wrong })).toBe(401);
  }
});

test("a request that creates a session is refused from other sites and from forms, too", async () => {
  const body = '{"name":"A"}';
  const card = (headers: Headers) => send("POST", "/v1/card", headers, { body });
  const made = await card({ "Content-Type": "application/json" });
  expect([made.status, made.headers.get("set-cookie"), await made.text()]).toEqual([200, "card=1", '"A"\n']);
  expect((await card({ Origin: origin, "Content-Type": "application/json" })).status).toBe(200);
  expect((await card({ Origin: "http://evil.example", "Content-Type": "application/json" })).status).toBe(403);
  expect((await card({ Origin: "null", "Content-Type": "application/json" })).status).toBe(403);
  expect((await card({ Origin: origin, "Content-Type": "text/plain" })).status).toBe(415);
});

test("pages of other sites cannot send a session or its token, nor read answers", async () => {
  const headers = { ...session, Origin: "http://evil.example" };
  for (const method of ["GET", "OPTIONS"]) {
    const answer = await fetch(`${open.url}/v1/books`, { method, headers });
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("access-control-allow-headers") ?? "").not.toMatch(/csrf|cookie/i);
  }
});

test("with https the cookie is for this host only, and http pages are refused", async () => {
  const at = secure.url;
  const cookie = { ...page, Cookie: "__Host-fairlead=a-session", Origin: "https://library.example" };
  expect(await statusOf("PUT", "/v1/books/a", cookie, { at })).toBe(200);
  expect(await statusOf("GET", "/v1/books", session, { at })).toBe(401);
  for (const insecure of ["http://library.example", secure.url]) {
    expect(await statusOf("PUT", "/v1/books/b", { ...cookie, Origin: insecure }, { at })).toBe(403);
  }
  expect(composeCookie("https://x", "v")).toBe("__Host-fairlead=v; Path=/; HttpOnly; SameSite=Lax; Secure");
  expect(composeCookie("http://x", undefined)).toBe("fairlead=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
});

test("two different cookies with the same name are both ignored", () => {
  expect(cookieOf("a=1; fairlead=x", "fairlead")).toBe("x");
  expect(cookieOf("fairlead=x; fairlead=x", "fairlead")).toBe("x");
  for (const header of [undefined, "", "fairlead=", "fairlead=x; fairlead=y", "xfairlead=x", "fairleadx=x"]) {
    expect(cookieOf(header, "fairlead")).toBeUndefined();
  }
});

test("every answer forbids frames and Referer, and with https requires https", async () => {
  for (const path of ["/v1/books", "/v1/none", "/docs", "/docs/reference.js", "/v1/openapi.json", "/v1/%"]) {
    for (const { url } of [open, secure]) {
      const { headers } = await fetch(url + path);
      expect([path, headers.get("x-content-type-options"), headers.get("referrer-policy")]).toEqual([
        path,
        "nosniff",
        "no-referrer",
      ]);
      expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      const strict = url === secure.url ? "max-age=31536000" : null;
      expect(headers.get("strict-transport-security")).toBe(strict);
    }
  }
});
