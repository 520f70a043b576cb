/** Replies to clients over a limit, and exempt clients. */
import { expect, test } from "vitest";
import { makeRateTable, RateLimiter } from "../../src/edge/serve/rate.ts";
import { alternating } from "../machine/random.ts";
import { TestImage } from "./image.ts";
import { queryWith, replyTo } from "./options.ts";

const limited = () => {
  const limiter = new RateLimiter(makeRateTable(1), { answers: 2, equal: 0, errors: 3, exempt: [] }, alternating());
  return new TestImage({ limiter }).put("example.com", ["@ 300 NS ns1.example.com.", "www 300 A 192.0.2.1"]);
};
const outcomes = (image: TestImage, text: string, count: number, transport: "udp" | "tcp" = "udp") =>
  Array.from({ length: count }, () => {
    const octets = image.send(queryWith([], text), transport);
    return octets === undefined ? "silence" : (octets[2]! & 2) !== 0 ? "tc" : "answer";
  });

test("answers over the limit are dropped, except that every other one is truncated, which leads to TCP", () => {
  const image = limited();
  expect(outcomes(image, "www.example.com. 1", 6)).toEqual(["answer", "answer", "silence", "tc", "silence", "tc"]);
  expect(outcomes(image, "www.example.com. 1", 20, "tcp")).toEqual(new Array(20).fill("answer"));
});

test("a truncated reply has no records and is no larger than its query", () => {
  const image = limited();
  outcomes(image, "www.example.com. 1", 3);
  const query = queryWith([]);
  const reply = replyTo(image, query);
  expect(reply).toMatchObject({ rcode: "NOERROR", flags: ["tc"], answer: [], authority: [], additional: [] });
  expect(reply.octets.length).toBeLessThanOrEqual(query.length);
});

test("denials have a limit for each zone, regardless of the names asked for", () => {
  const image = limited().put("example.net", ["@ 300 NS ns1.example.com.", "www 300 A 192.0.2.1"]);
  const nx = (zone: string) => ["a", "b", "c"].flatMap((label) => outcomes(image, `${label}.${zone}. 1`, 1));
  expect(nx("example.com")).toEqual(["answer", "answer", "silence"]);
  expect(nx("example.net")).toEqual(["answer", "answer", "tc"]);
  expect(outcomes(image, "www.example.net. 28", 1)).toEqual(["silence"]);
  expect(outcomes(image, "www.example.net. 1", 2)).toEqual(["answer", "answer"]);
});

test("names that do not exist, and errors, have separate limits", () => {
  const image = limited();
  expect(outcomes(image, "www.example.com. 1", 2)).toEqual(["answer", "answer"]);
  expect(outcomes(image, "x.example.com. 1", 3)).toEqual(["answer", "answer", "silence"]);
  expect(outcomes(image, "example.org. 1", 6)).toEqual(["answer", "answer", "answer", "silence", "silence", "silence"]);
});
