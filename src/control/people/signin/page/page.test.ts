/** The pages of links as they are sent: their scripts, and the resources they load. */
import { expect, test } from "vitest";
import type { Produce } from "../../../../http/message/asset.ts";
import { linkPages } from "./page.ts";

const get = async (produce: Produce) => produce({ headers: {} });
const files = await Promise.all(linkPages(true).map(async ([path, produce]) => ({ path, ...(await get(produce)) })));
const pages = files.slice(0, 2);

test("there is one page for each kind of link, with a script and a style", () => {
  expect(files.map(({ path }) => path)).toEqual([
    "/invitation",
    "/reset",
    "/link-page.js",
    "/invitation/link-page.js",
    "/reset/link-page.js",
    "/link-page.css",
    "/invitation/link-page.css",
    "/reset/link-page.css",
  ]);
  expect(pages.map(({ body }) => String(body).match(/data-kind="(\w+)"/)?.[1])).toEqual(["invitation", "reset"]);
  for (const { body } of files) expect(String(body)).not.toContain("{{");
});

test("a page loads only its own script and style", () => {
  for (const { headers, body } of pages) {
    const loaded = [...String(body).matchAll(/ (?:src|href)="([^"]*)"/g)].map(([, file]) => `/${file}`);
    expect(loaded.sort()).toEqual(["/link-page.css", "/link-page.js"]);
    expect(String(body)).not.toMatch(/ (action|on\w+|style)=|<style|<script>|url\(|@import|https?:/);
    const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'";
    const rest = "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
    expect(headers["content-security-policy"]).toBe(`${policy}; ${rest}`);
  }
});

test("no copy of a page is stored, and its files are asked for by their entity tag", async () => {
  for (const { headers } of pages) expect(headers["cache-control"]).toBe("no-store");
  const [, script] = linkPages(true)[2]!;
  const { headers } = await get(script);
  const again = await script({ headers: { "if-none-match": headers["etag"]! } });
  expect(again).toMatchObject({ status: 304, body: "" });
  const zipped = await script({ headers: { "accept-encoding": "gzip, br" } });
  expect(zipped.headers["content-encoding"]).toBe("gzip");
});
