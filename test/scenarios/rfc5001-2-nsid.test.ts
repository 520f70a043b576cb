/** RFC 5001 section 2: the server's identifier, on request. */
import { expect, test } from "vitest";
import { TestImage } from "./image.ts";
import { code, queryWith, replyTo } from "./options.ts";

const lines = ["@ 300 NS ns1.example.com.", "www 300 A 192.0.2.1"];
const named = new TestImage({ nsid: Buffer.from("ams-1") }).put("example.com", lines);
const nameless = new TestImage().put("example.com", lines);

test("2.1, 2.2: only queries with the option get the identifier", () => {
  expect(replyTo(named, queryWith([[code.nsid, []]])).options).toEqual({ [code.nsid]: "616d732d31" });
  expect(replyTo(named, queryWith([])).options).toEqual({});
});

test("2.1: data in the query's NSID option are ignored", () => {
  expect(replyTo(named, queryWith([[code.nsid, [1, 2, 3]]])).options).toEqual({ [code.nsid]: "616d732d31" });
});

test("a server without an identifier ignores the option", () => {
  expect(replyTo(nameless, queryWith([[code.nsid, []]])).options).toEqual({});
});
