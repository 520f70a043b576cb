/** Serving of static files. */
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { asset } from "./asset.ts";

const text = "a { color: red }";

test("concurrent first requests read a file once", async () => {
  let reads = 0;
  const serve = asset("text/css", "no-cache", async () => {
    reads++;
    return Buffer.from(text);
  });
  const replies = await Promise.all(Array.from({ length: 50 }, () => serve({ headers: {} })));
  expect(reads).toBe(1);
  for (const { status, body } of replies) expect([status, String(body)]).toEqual([200, text]);
});

test("a file that could not be read is read again", async () => {
  let fails = true;
  const serve = asset("text/css", "no-cache", async () => {
    if (fails) throw new Error("not there");
    return Buffer.from(text);
  });
  await expect(serve({ headers: {} })).rejects.toThrow("not there");
  fails = false;
  expect(String((await serve({ headers: {} })).body)).toBe(text);
});

test("a compressed reply has the same contents and the same weak tag", async () => {
  const serve = asset("text/css", "no-cache", async () => Buffer.from(text));
  const plain = await serve({ headers: {} });
  const zipped = await serve({ headers: { "accept-encoding": "br, gzip" } });
  expect(gunzipSync(zipped.body as Buffer).toString()).toBe(text);
  expect(zipped.headers["etag"]).toBe(plain.headers["etag"]);
  expect(plain.headers["etag"]).toMatch(/^W\/"/);
  const known = await serve({ headers: { "if-none-match": plain.headers["etag"]! } });
  expect(known).toMatchObject({ status: 304, body: "" });
});
