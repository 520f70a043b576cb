/** RFC 7828 section 3.3: the idle timeout of a connection. */
import { expect, test } from "vitest";
import { TestImage } from "./image.ts";
import { code, queryWith, replyTo } from "./options.ts";

const image = new TestImage({ idle: 10_000 }).put("example.com", ["@ 300 NS ns1.example.com.", "www 300 A 192.0.2.1"]);
const keepalive = (data: readonly number[]) => queryWith([[code.keepalive, data]]);

test("3.3.1: the option is never sent over UDP", () => {
  for (const data of [[], [0, 5], [1]]) {
    expect(replyTo(image, keepalive(data))).toMatchObject({ rcode: "NOERROR", options: {} });
  }
});

test("3.3.2: over a stream, the timeout is sent in tenths of a second, regardless of the value in the query", () => {
  for (const data of [[], [0, 5], [1]]) {
    expect(replyTo(image, keepalive(data), "tcp").options).toEqual({ [code.keepalive]: "0064" });
  }
  expect(replyTo(image, keepalive([]), "tls").options).toEqual({ [code.keepalive]: "0064" });
});

test("the option is never sent over HTTP, or without the option in the query", () => {
  expect(replyTo(image, keepalive([]), "https").options).toEqual({});
  expect(replyTo(image, queryWith([]), "tcp").options).toEqual({});
});
