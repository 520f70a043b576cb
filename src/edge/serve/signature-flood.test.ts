/** Wrong signatures over UDP: how many are verified while signatures have used up their time. */
import { expect, test } from "vitest";
import { parseAnswer, TestImage } from "../../../test/scenarios/image.ts";
import { composeQuery } from "../../dns/reply.ts";
import { sign } from "../../dns/tsig/tsig.ts";
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { TimeShare } from "../../lib/fair/time-share.ts";
import { noPeers } from "../../sync/peers.ts";
import { PeerBook } from "./peer-book.ts";
import { makeRateTable, RateLimiter } from "./rate.ts";

const key = { account_id: "a", name: "key.example", algorithm: "hmac-sha512", secret: Uint8Array.of(1) } as const;
const asKey = { ...key, name: nameFromApi(key.name) };
const question = composeQuery(nameFromApi("www.example.com"), TypeCode.A, 1232);
const signedNow = (secret: Uint8Array) => sign(question, { ...asKey, secret }, Math.floor(Date.now() / 1000)).octets;
const right = signedNow(key.secret);
const wrong = signedNow(Uint8Array.of(2));
const from = (...address: number[]) => ({ family: 4, address: Uint8Array.from(address), port: 4096 }) as const;
const [attacker, neighbour, other] = [from(192, 0, 2, 1), from(192, 0, 2, 99), from(198, 51, 100, 1)];

/** An image that counts the signatures that it verifies; `time`: milliseconds for signatures. */
function counting(time: number) {
  const limiter = new RateLimiter(makeRateTable(7), { answers: 0, equal: 0, errors: 100, exempt: [] });
  limiter.now = 1_000_000;
  const signatures = new TimeShare(1, time);
  signatures.refill(1_000_000);
  const book = new PeerBook({ ...noPeers, keys: [key] });
  const counts = { verified: 0, limited: 0 };
  const peers = () => {
    counts.verified++;
    return book;
  };
  const onLimited = () => counts.limited++;
  const image = new TestImage({ limiter, signatures, peers, onLimited }).put("example.com", ["www 60 A 192.0.2.1"]);
  const send = (packet: Uint8Array, client = attacker, transport: "udp" | "tcp" = "udp") => {
    const reply = image.send(packet, transport, client);
    return reply && parseAnswer(reply).rcode;
  };
  return { counts, limiter, signatures, send };
}

test("without time for signatures, a network that sent 100 wrong ones in a second gets no more verified", () => {
  const { counts, limiter, send } = counting(0);
  const replies = Array.from({ length: 10_000 }, () => send(wrong));
  expect(counts).toEqual({ verified: 100, limited: 9900 });
  expect(replies.filter((rcode) => rcode === "NOTAUTH")).toHaveLength(100);
  // the network's other queries, other networks, and TCP
  expect(send(right, neighbour)).toBeUndefined();
  expect(send(question, neighbour)).toBe("NOERROR");
  expect(send(right, other)).toBe("NOERROR");
  expect(send(right, neighbour, "tcp")).toBe("NOERROR");
  limiter.now += 50;
  expect(send(right, neighbour)).toBe("NOERROR");
});

test("while there is time for signatures, each is verified", () => {
  const { counts, send } = counting(1e9);
  for (let n = 0; n < 1000; n++) send(wrong);
  expect(counts.verified).toBe(1000);
  expect(send(right, neighbour)).toBe("NOERROR");
});

test("verifying and signing take the time of signatures, and other queries do not", () => {
  const { signatures, send } = counting(1e-6);
  send(question);
  expect(signatures.isUsedUp).toBe(false);
  send(wrong);
  expect(signatures.isUsedUp).toBe(true);
});
