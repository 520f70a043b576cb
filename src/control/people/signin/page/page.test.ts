/** The pages of links as they are sent: their scripts, and the resources they load. */
import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { linkPages } from "./page.ts";

const pages = await Promise.all(linkPages.map(async ([path, produce]) => ({ path, ...(await produce()) })));

test("there is one page for each kind of link", () => {
  expect(pages.map(({ path }) => path)).toEqual(["/invitation", "/reset"]);
});

test("a page runs and shows only content that its policy allows by its hash", () => {
  for (const { headers, body } of pages) {
    const text = String(body);
    const hashes = [...text.matchAll(/<(script|style)>(.*?)<\/\1>/gs)].map(
      ([, kind, content]) => `${kind}-src 'sha256-${hash("sha256", content!, "base64")}'`,
    );
    expect(hashes).toHaveLength(2);
    for (const allowed of hashes) expect(headers["content-security-policy"]).toContain(allowed);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; .*; form-action 'none'; frame-ancestors/);
    expect(headers["content-security-policy"]).not.toContain("unsafe");
    expect(text).not.toMatch(/ (src|href|action|on\w+|style)=|url\(|@import|https?:/);
  }
});

test("no copy of a page is stored", () => {
  for (const { headers } of pages) expect(headers["cache-control"]).toBe("no-store");
});
