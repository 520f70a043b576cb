/** RFC 7873 sections 5.2 to 5.4: a server's reply to each form of the COOKIE option. */
import { expect, test } from "vitest";
import { Cookies } from "../../src/edge/serve/cookies.ts";
import { makeRateTable, RateLimiter } from "../../src/edge/serve/rate.ts";
import { alternating } from "../machine/random.ts";
import { TestImage } from "./image.ts";
import { code, queryWith, replyTo } from "./options.ts";

const cookies = new Cookies([new Uint8Array(16).fill(7)]);
cookies.now = 1_700_000_000;
const limits = { answers: 1, equal: 0, errors: 1, exempt: [] };
const lines = ["@ 300 NS ns1.example.com.", "www 300 A 192.0.2.1"];
const image = () => new TestImage({ cookies }).put("example.com", lines);
const limited = () =>
  new TestImage({ cookies, limiter: new RateLimiter(makeRateTable(1), limits, alternating()) }).put(
    "example.com",
    lines,
  );

const client = [1, 2, 3, 4, 5, 6, 7, 8];
const withCookie = (data: readonly number[], text?: string) => queryWith([[code.cookie, data]], text);
const ofReply = (hex = "") => [...Buffer.from(hex, "hex")];
const fresh = /^0102030405060708010000006553f100[0-9a-f]{16}$/;

test("5.2.1: without a cookie the reply has none", () => {
  expect(replyTo(image(), queryWith([])).options).toEqual({});
});

test("5.2.2: lengths that no cookie has are FORMERR", () => {
  for (const length of [0, 7, 9, 15, 41]) {
    expect(replyTo(image(), withCookie(new Array(length).fill(1)))).toMatchObject({ rcode: "FORMERR", options: {} });
  }
});

test("5.2.3: a client cookie alone is answered with a server cookie", () => {
  const reply = replyTo(image(), withCookie(client));
  expect(reply).toMatchObject({ rcode: "NOERROR", options: { [code.cookie]: expect.stringMatching(fresh) } });
  expect(reply.answer).toHaveLength(1);
});

test("5.2.4: a wrong server cookie is answered with a correct one", () => {
  for (const length of [8, 16, 32]) {
    const reply = replyTo(image(), withCookie([...client, ...new Array(length).fill(1)]));
    expect(reply).toMatchObject({ rcode: "NOERROR", options: { [code.cookie]: expect.stringMatching(fresh) } });
  }
});

test("5.2.5: a correct server cookie is returned", () => {
  const { options } = replyTo(image(), withCookie(client));
  expect(replyTo(image(), withCookie(ofReply(options[code.cookie]))).options).toEqual(options);
});

test("5.2.3, 5.2.4: over the limit, a client without a correct cookie gets BADCOOKIE, and a client with one gets the answer", () => {
  const server = limited();
  const { options } = replyTo(server, withCookie(client));
  expect(server.send(withCookie(client))).toBeUndefined();
  const slipped = replyTo(server, withCookie(client));
  expect(slipped).toMatchObject({ rcode: "BADCOOKIE", flags: [], answer: [], options });
  for (let i = 0; i < 20; i++) {
    const known = replyTo(server, withCookie(ofReply(options[code.cookie])));
    expect(known).toMatchObject({ rcode: "NOERROR", flags: ["aa"], options });
  }
});

test("5.4: a query without a question gets a cookie", () => {
  const reply = replyTo(image(), withCookie(client, ""));
  expect(reply).toMatchObject({ rcode: "NOERROR", answer: [], authority: [], question: undefined });
  expect(reply.options).toEqual({ [code.cookie]: expect.stringMatching(fresh) });
  expect(replyTo(image(), queryWith([], "")).rcode).toBe("FORMERR");
});
