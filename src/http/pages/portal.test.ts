/** The portal's pages and files, beside an API whose own paths stay as they are. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { startApi } from "../../../test/service/api.ts";

const folder = mkdtempSync(join(tmpdir(), "fairlead-portal-"));
mkdirSync(join(folder, "assets"));
const { brotliCompressSync, gzipSync } = await import("node:zlib");
const script = "console.log('the portal');\n".repeat(50);
writeFileSync(join(folder, "assets/main-1.js"), script);
writeFileSync(join(folder, "assets/main-1.js.br"), brotliCompressSync(script));
writeFileSync(join(folder, "assets/main-1.js.gz"), gzipSync(script));
const page = `<html data-root="{{root}}"><style nonce="{{nonce}}"></style><script src="{{root}}assets/main-1.js"></script>`;
const routes = ["/", "/zones", "/zones/:zone", "/zones/:zone/:name/:type"];
const files = { "assets/main-1.js": "text/javascript; charset=utf-8" };
writeFileSync(join(folder, "pages.json"), JSON.stringify({ routes, page, files }));

const source: { folder: string | undefined; failure: string | undefined } = { folder, failure: undefined };
const api = await startApi({ portal: source });
const html = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const get = async (path: string, headers: Record<string, string> = html, method = "GET") => {
  const reply = await fetch(`${api.url}${path}`, { method, headers });
  return { status: reply.status, headers: reply.headers, text: await reply.text() };
};

test("the page is served at every path of the portal, and leads to its files from there", async () => {
  const roots = {
    "/": "./",
    "/zones": "./",
    "/zones/example.com": "../",
    "/zones/example.com/www.example.com/A": "../../../",
  };
  for (const [path, root] of Object.entries(roots)) {
    const { status, text, headers } = await get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(`data-root="${root}"`);
    expect(text).toContain(`src="${root}assets/main-1.js"`);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
  }
});

test("a slash at the end of the path is one more step to the files", async () => {
  expect((await get("/zones/")).text).toContain('data-root="../"');
  expect((await get("/zones/example.com/?tab=settings")).text).toContain('data-root="../../"');
});

test("each load has a nonce of its own, and the policy allows no other inline style and no inline script", async () => {
  const nonces = await Promise.all(
    [1, 2].map(async () => {
      const { text, headers } = await get("/zones");
      const nonce = /nonce="([^"]+)"/.exec(text)?.[1];
      const policy = headers.get("content-security-policy");
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`);
      expect(policy).toContain("default-src 'none'; script-src 'self'; connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'; require-trusted-types-for 'script'");
      return nonce;
    }),
  );
  expect(nonces[0]).not.toBe(nonces[1]);
});

test("what asks for anything but HTML, and what the portal does not know, gets JSON as before", async () => {
  const refused = [
    await get("/zones", { accept: "*/*" }),
    await get("/zones", { accept: "application/json" }),
    await get("/unknown"),
    await get("/zones/example.com/www.example.com"),
    await get("/v1/unknown"),
    await get("/constructor"),
    await get("/__proto__"),
    await get("/pages.json"),
    await get("/assets/../pages.json"),
    await get("/assets/main-2.js"),
    await get("/zones", html, "POST"),
  ];
  for (const { status, headers, text } of refused) {
    expect(status).toBe(404);
    expect(headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(text)).toMatchObject({ code: "missing" });
  }
  expect((await get("/v1/zones")).status).toBe(401);
  expect((await get("/docs")).text).toContain("api-reference");
});

test("a file is sent compressed as the browser asks, and never asked for again", async () => {
  const raw = async (coding: string) => {
    const { request } = await import("node:http");
    return await new Promise<{ headers: Record<string, unknown>; body: Buffer }>((done) => {
      request(`${api.url}/assets/main-1.js`, { headers: { "accept-encoding": coding } }, async (reply) => {
        done({ headers: reply.headers, body: Buffer.concat(await reply.toArray()) });
      }).end();
    });
  };
  const decode = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ["br", "gzip"] as const) {
    const { headers, body } = await raw(`deflate, ${coding}`);
    expect(headers["content-encoding"]).toBe(coding);
    const caching = ["cache-control", "pragma", "expires"].map((name) => headers[name]);
    expect(caching).toEqual(["public, max-age=31536000, immutable", undefined, undefined]);
    expect(decode[coding](body).toString()).toBe(script);
  }
  const { headers, body } = await raw("identity");
  expect(headers["content-encoding"]).toBeUndefined();
  expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(body.toString()).toBe(script);
});

test("HEAD gets the headers of GET", async () => {
  const { status, headers, text } = await get("/zones", html, "HEAD");
  expect([status, text]).toEqual([200, ""]);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
});

test("without a build, / says that it is being made or what to do, and the API works", async () => {
  source.folder = undefined;
  const building = await get("/");
  expect(building.status).toBe(503);
  expect(building.text).toContain('http-equiv="refresh"');
  source.failure = "The portal is not built: run <npm ci>";
  const failed = await get("/");
  expect(failed.text).toContain("run &lt;npm ci&gt;");
  expect(failed.text).not.toContain("refresh");
  expect((await get("/zones")).status).toBe(404);
  expect((await get("/", { accept: "*/*" })).status).toBe(404);
  expect((await get("/v1/filtertypes", { "x-service-key": api.key })).status).toBe(200);
  source.folder = folder;
});
