/** A worker's session applies updates in order, at any time. */
import { setTimeout as delay } from "node:timers/promises";
import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { parseAnswer, queryOf, recordsOf, steeredRecord, zoneOf } from "../../../test/scenarios/image.ts";
import { plainReplies } from "../../../test/service/replies.ts";
import { ImageWriter } from "../../answer/image/writer/writer.ts";
import { LiveTable } from "../../answer/live/table.ts";
import { trailWords } from "../../answer/lookup/lookup.ts";
import { composeQuery } from "../../dns/reply.ts";
import { sign } from "../../dns/tsig/tsig.ts";
import { TypeCode } from "../../dns/wire/constants.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { unfinished } from "../../net/socket/service.ts";
import { noPeers } from "../../sync/peers.ts";
import { makeUsage, type UsageShare } from "../usage/table.ts";
import { counted, makeCounts } from "./counters.ts";
import type { WorkerUpdate } from "./messages.ts";
import { Session } from "./session.ts";

const apex = "example.com";
const client = { family: 4, address: new Uint8Array(4), port: 53 } as const;

function imageWith(address: string, send: (update: WorkerUpdate) => void): ImageWriter {
  const image = ImageWriter.create();
  image.putZone(zoneOf(apex), 1);
  put(image, [`www 60 A ${address}`]);
  image.onGrow((share) => send({ kind: "grown", share }));
  return image;
}

function put(image: ImageWriter, lines: readonly string[]): void {
  for (const record of recordsOf(apex, lines)) image.putRecord(record);
  image.commit();
}

/** Grows the image by a segment, but not by a table: a table would be noticed only by the next batch. */
function grow(image: ImageWriter): void {
  const text = `"${"x".repeat(200)}" `.repeat(20);
  put(
    image,
    Array.from({ length: 20 }, (_, i) => `h${i} 60 TXT ${text}`),
  );
}

/** A session without an event loop, and a way to send it updates. */
function sessionOf(image: ImageWriter, more: { readonly usage?: UsageShare } = {}) {
  const { control, posted, send, close } = mailbox();
  const counts = makeCounts();
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const own = { slot: 0, share: image.share(), replies: plainReplies, control, posted, counts, progress };
  const data = { ...own, ...shared(), ...more };
  return { session: new Session(data, "tcp", () => {}), counts, send, close };
}

/** The data that workers share besides the image. */
const shared = () => ({
  live: new LiveTable().share(),
  peers: noPeers,
  watched: [],
  begun: new Int32Array(new SharedArrayBuffer(4)),
  trail: new Int32Array(trailWords),
});

function mailbox() {
  const { port1, port2: control } = new MessageChannel();
  const posted = new Int32Array(new SharedArrayBuffer(4));
  const send = (message: WorkerUpdate) => {
    port1.postMessage(message);
    Atomics.add(posted, 0, 1);
  };
  return { control, posted, send, close: () => port1.close() };
}

test("queries of an expired zone are counted for that zone", () => {
  const image = imageWith("192.0.2.1", () => {});
  image.putZone(zoneOf("gone.example", { expired: true }), 1);
  image.commit();
  const usage = makeUsage(16);
  const { session, close } = sessionOf(image, { usage });
  const out = new Uint8Array(512);
  session.begin();
  for (const name of [`www.${apex}.`, "www.gone.example.", "gone.example."]) {
    const query = queryOf({ name, type: "A" });
    session.answer(query, 0, query.length, client, out, 0, out.length);
  }
  session.end();
  expect([...usage.tables[0]!.zones].filter(Boolean)).toEqual([1, 2]);
  close();
});

test("changed TSIG keys do not clear the caches", () => {
  const image = imageWith("192.0.2.1", () => {});
  const answers = [{ answer: ["192.0.2.2"] }, { answer: ["192.0.2.3"] }];
  image.putRecord(
    steeredRecord(apex, { type: "A", answers, filters: [{ filter: "select_first_n", config: { N: 1 } }] }),
  );
  image.commit();
  const { session, counts, send, close } = sessionOf(image);
  const query = queryOf({ name: `www.${apex}.`, type: "A" });
  const out = new Uint8Array(512);
  for (let n = 0; n < 3; n++) {
    send({ kind: "peers", change: { set: noPeers, gone: noPeers } });
    session.begin();
    session.answer(query, 0, query.length, client, out, 0, out.length);
    session.end();
  }
  expect([counts[counted.chains.asked], counts[counted.chains.found]]).toEqual([3, 2]);
  close();
});

test("an image that arrives during a batch is used after the batch, with the changes that follow it", async () => {
  const { control, posted, send, close } = mailbox();
  const first = imageWith("192.0.2.1", send);
  const second = imageWith("192.0.2.2", send);
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const data = {
    slot: 0,
    share: first.share(),
    replies: plainReplies,
    control,
    posted,
    counts: makeCounts(),
    progress,
    ...shared(),
  };
  const session = new Session(data, "tcp", () => {});
  session.listen();
  const query = queryOf({ name: `www.${apex}.`, type: "A" });
  const out = new Uint8Array(512);
  const ask = () => {
    const written = session.answer(query, 0, query.length, client, out, 0, out.length);
    return parseAnswer(out.slice(0, written)).answer;
  };

  session.begin();
  grow(first);
  put(first, ["www 60 A 192.0.2.9"]);
  send({ kind: "image", share: second.share() });
  expect(ask()).toEqual([`www.${apex}. 60 A 192.0.2.1`]);
  session.end();
  grow(second);
  put(second, ["www 60 A 192.0.2.3"]);
  await delay(20);
  session.begin();
  expect(ask()).toEqual([`www.${apex}. 60 A 192.0.2.3`]);
  session.end();
  close();
});

test("a query that comes last is answered in turns, between which others are answered; it counts once", () => {
  const image = imageWith("192.0.2.1", () => {});
  const answers = Array.from({ length: 100 }, (_, n) => ({ answer: [`198.51.100.${n}`], meta: { weight: n + 1 } }));
  const filters = Array.from({ length: 64 }, () => ({ filter: "weighted_shuffle", config: {} }));
  const first = { filter: "select_first_n", config: { N: 3 } };
  image.putRecord(
    steeredRecord(apex, { domain: `heavy.${apex}`, type: "A", answers, filters: [...filters.slice(1), first] }),
  );
  image.commit();
  const { session, counts, close } = sessionOf(image);
  const [heavy, light] = ["heavy", "www"].map((name) => queryOf({ name: `${name}.${apex}.`, type: "A" }));
  const out = new Uint8Array(4096);
  const lines = (written: number) => parseAnswer(out.slice(0, written)).answer;
  let turns = 0;
  let written = unfinished;
  for (; written === unfinished && turns < 1000; turns++) {
    session.begin();
    expect(lines(session.answer(light!, 0, light!.length, client, out, 0, out.length))).toHaveLength(1);
    written = session.answerInTurns(heavy!, 0, heavy!.length, client, out, 0, out.length);
    session.end();
  }
  expect(lines(written)).toHaveLength(3);
  expect(turns).toBeGreaterThan(2);
  expect(counts[counted.queries]).toBe(turns + 1);
  expect(counts[counted.chains.asked]).toBe(1);
  close();
});

test("signed queries come last once signatures have taken more than their share of the time", async () => {
  const image = imageWith("192.0.2.1", () => {});
  const key = { account_id: "a", name: "key.example", algorithm: "hmac-sha512", secret: Uint8Array.of(1) } as const;
  const { session, send, close } = sessionOf(image);
  send({ kind: "peers", change: { set: { ...noPeers, keys: [key] }, gone: noPeers } });
  const plain = composeQuery(nameFromApi(`www.${apex}`), TypeCode.A, 1232);
  const ofKey = { ...key, name: nameFromApi(key.name), secret: Uint8Array.of(2) };
  const { octets: wrong } = sign(plain, ofKey, Math.floor(Date.now() / 1000));
  const out = new Uint8Array(512);
  session.begin();
  expect(session.isCrowded).toBe(false);
  let sent = 0;
  for (; !session.isCrowded && sent < 100_000; sent++) {
    session.answer(wrong, 0, wrong.length, client, out, 0, out.length);
  }
  expect(session.isLast(wrong, 0, wrong.length, client)).toBe(true);
  expect(session.isLast(plain, 0, plain.length, client)).toBe(false);
  session.end();
  await delay(300);
  session.begin();
  expect(session.isCrowded).toBe(false);
  session.end();
  close();
});
