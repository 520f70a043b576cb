import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { heldMemory } from "../../../test/machine/held-memory.ts";
import {
  type AskHttp,
  askHttp1,
  askHttp2,
  coded,
  floods,
  get,
  heavyFields,
  httpCases,
  mediaType,
  post,
} from "../../../test/network/doh.ts";
import {
  follow,
  openHttp2,
  openTls,
  plainQuery,
  preface,
  query,
  request,
  soon,
  startStreams,
} from "../../../test/network/streams.ts";
import type { TcpLimits } from "../connection/tcp-connection.ts";
import { tcpCounts } from "../tcp.ts";
import { smallestTtl } from "./doh.ts";
import { mostStreams } from "./http2.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(limits: Partial<TcpLimits> = {}) {
  const started = await startStreams({ limits });
  cleanups.push(() => started.server.close(100));
  return started;
}

const good = query(7, 33);

describe.each<[string, AskHttp]>([
  ["HTTP/2", askHttp2],
  ["HTTP/1.1", askHttp1],
])("DNS over HTTPS with %s", (_, ask) => {
  test.each([...httpCases(good), ["a query that faults is not answered", post(query(1, 12, 255)), 503] as const])(
    "%s",
    async (_name, asked, status) => {
      const { ports } = await start();
      const reply = await ask(ports.https, asked);
      expect(reply.status).toBe(status);
      if (status === 200) {
        expect(reply.body).toEqual(good);
        expect(reply.headers).toMatchObject({ "content-type": mediaType, "cache-control": "max-age=0" });
      }
      if (status === 405) expect(reply.headers["allow"]).toBe("GET, HEAD, POST");
      expect(await plainQuery(ports.tcp)).toBeLessThan(50);
    },
  );

  test("HEAD has the header fields of GET, and no body", async () => {
    const { ports } = await start();
    const { status, headers, body } = await ask(ports.https, { ...get(`?dns=${coded(good)}`), method: "HEAD" });
    expect([status, headers["content-length"], body.length]).toEqual([200, String(good.length), 0]);
  });

  test("the client is the peer, whatever X-Forwarded-For says", async () => {
    const { ports, service } = await start();
    await ask(ports.https, { ...get(`?dns=${coded(good)}`), headers: { "x-forwarded-for": "192.0.2.7" } });
    expect([...service.client!.address]).toEqual([127, 0, 0, 1]);
    expect(service.client?.secure).toBe("https");
  });

  test("a query of 65,535 octets is answered", async () => {
    const { ports } = await start();
    expect((await ask(ports.https, post(query(1, 65_535)))).body.length).toBe(65_535);
  });
});

describe("connections of HTTP/1.1", () => {
  const asked = (number: number) => `GET /dns-query?dns=${coded(query(number))} HTTP/1.1\r\nHost: x\r\n\r\n`;

  test("pipelined requests are answered in order, each after the one before", async () => {
    const { ports } = await start();
    const socket = await openTls(ports.https, { ALPNProtocols: ["http/1.1"] });
    cleanups.push(() => socket.destroy());
    let text = "";
    socket.on("data", (octets) => (text += octets.toString("latin1")));
    socket.write(Array.from({ length: 250 }, (_, number) => asked(number)).join(""));
    const answered = () => [...text.matchAll(/\r\n\r\n\0(.)/gs)].map(([, octet]) => octet!.charCodeAt(0));
    await expect.poll(() => answered().length).toBe(250);
    expect(answered()).toEqual(Array.from({ length: 250 }, (_, number) => number));
  });

  test("posted queries of 65,535 octets are answered in order, with small requests between them", async () => {
    const { ports } = await start();
    const socket = await openTls(ports.https, { ALPNProtocols: ["http/1.1"] });
    cleanups.push(() => socket.destroy());
    let text = "";
    socket.on("data", (octets) => (text += octets.toString("latin1")));
    const posted = (number: number) =>
      `POST /dns-query HTTP/1.1\r\nHost: x\r\nContent-Type: ${mediaType}\r\nContent-Length: 65535\r\n\r\n${query(number, 65_535).toString("latin1")}`;
    const requests = Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? posted(number) : asked(number)));
    socket.write(requests.join(""), "latin1");
    const answered = () =>
      [...text.matchAll(/content-length: (\d+)\r\n(?:.+\r\n)*\r\n\0(.)/g)].map(([, length, octet]) => [
        octet!.charCodeAt(0),
        Number(length),
      ]);
    await expect.poll(() => answered().length).toBe(10);
    expect(answered()).toEqual(requests.map((_, number) => [number, number % 2 === 0 ? 65_535 : 12]));
  });

  test.each([
    ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", 404],
    ["GET / HTTP/1.1\r\n\r\n", 400],
  ] as const)(
    "of a burst of %j, a few are read in each round of the event loop, and others are answered",
    async (one, status) => {
      const { ports, service } = await start();
      const rounds = { current: 0, most: 0, all: 0 };
      const count = () => {
        rounds.all++;
        rounds.most = Math.max(rounds.most, ++rounds.current);
      };
      subscribe("http.server.request.start", count);
      cleanups.push(() => unsubscribe("http.server.request.start", count));
      let isOver = false;
      cleanups.push(() => (isOver = true));
      const nextRound = () => {
        rounds.current = 0;
        if (!isOver) setImmediate(nextRound);
      };
      nextRound();
      const other = connect({ port: ports.https, host: "127.0.0.1", localAddress: "127.0.0.2" });
      const socket = await openTls(ports.https, { ALPNProtocols: ["http/1.1"], socket: other });
      cleanups.push(() => socket.destroy());
      let text = "";
      socket.on("data", (octets) => (text += octets.toString("latin1")));
      const all = Math.floor(65_000 / one.length);
      let before = -1;
      const answer = service.answer.bind(service);
      service.answer = (...given) => {
        before = rounds.all;
        return answer(...given);
      };
      socket.write(one.repeat(all));
      await expect.poll(() => rounds.all, { interval: 0 }).toBeGreaterThan(0);
      await plainQuery(ports.tcp);
      expect(before).toBeLessThan(all);
      const answered = () => text.match(new RegExp(`HTTP/1.1 ${status} `, "g"))?.length ?? 0;
      await expect.poll(answered).toBeGreaterThan(0);
      if (status === 404) await expect.poll(answered, { timeout: 5000 }).toBe(all);
      expect(rounds.most).toBeLessThan(all / 8);
    },
  );
});

describe("connections of HTTP/2", () => {
  test("a client learns how many requests it may send at the same time", async () => {
    const { ports } = await start();
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    expect(session.remoteSettings.maxConcurrentStreams).toBe(mostStreams);
  });

  test("1,000 requests over one connection are all answered", async () => {
    const { ports } = await start();
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    const paths = Array.from({ length: 1000 }, (_, number) => `/dns-query?dns=${coded(query(number))}`);
    const replies = await Promise.all(paths.map((path) => request(session, { ":path": path })));
    expect(replies.every(({ body }, number) => body[1] === (number & 255))).toBe(true);
  });

  test.each(floods(good))(
    "a flood of %s from a client that does not read: the connection ends, in bounded memory",
    async (_, frames) => {
      const { ports, counts } = await start({ idle: 1000, message: 1000, stall: 1000 });
      const socket = await openTls(ports.https, { ALPNProtocols: ["h2"] });
      cleanups.push(() => socket.destroy());
      const before = heldMemory();
      let most = 0;
      socket.pause();
      socket.write(preface);
      for (let id = 1; id < 100_000 && counts[tcpCounts.connections]! > 0; id += 100) {
        socket.write(Buffer.concat(Array.from({ length: 50 }, (_, at) => frames(id + 2 * at)).flat()));
        await delay(2);
        // without what the client itself has not sent yet
        if (id % 2000 === 1) most = Math.max(most, heldMemory() - before - socket.writableLength);
      }
      await expect.poll(() => counts[tcpCounts.connections], { timeout: 5000 }).toBe(0);
      expect(most).toBeLessThan(8_000_000);
      expect(await plainQuery(ports.tcp)).toBeLessThan(50);
    },
  );

  test.each(heavyFields)("%s: the request is refused, and the next query is answered", async (_, headers) => {
    const { ports } = await start();
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    const path = `/dns-query?dns=${coded(good)}`;
    const ended = await request(session, { ":path": path, ...headers }).catch((error) => error);
    expect(ended.status === undefined || ended.status >= 400).toBe(true);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("unread answers are limited, and the connection is closed", async () => {
    const { ports, counts } = await start({ stall: 300 });
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    for (let number = 0; number < 50; number++) {
      const stream = session.request({ ":path": `/dns-query?dns=${coded(query(1, 12, 253))}` });
      stream.on("error", () => {});
      stream.pause();
    }
    await expect.poll(() => counts[tcpCounts.connections], { timeout: 3000 }).toBe(0);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("a connection with the ALPN of HTTP/2 and other content is closed", async () => {
    const { ports } = await start({ message: 300 });
    const socket = await openTls(ports.https, { ALPNProtocols: ["h2"] });
    cleanups.push(() => socket.destroy());
    socket.write(Buffer.alloc(100, 0x41));
    expect(await follow(socket).ended).toBeLessThan(soon);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });
});

describe.each(["h2", "http/1.1"])("a slow client of %s", (protocol) => {
  test("that sends no query is closed after the message time", async () => {
    const { ports } = await start({ message: 300 });
    const socket = await openTls(ports.https, { ALPNProtocols: [protocol] });
    cleanups.push(() => socket.destroy());
    const elapsed = await follow(socket).ended;
    expect(elapsed).toBeGreaterThan(200);
    expect(elapsed).toBeLessThan(soon);
  });

  test("with an endless request is closed", async () => {
    const { ports } = await start({ message: 300 });
    if (protocol === "h2") {
      const session = await openHttp2(ports.https);
      cleanups.push(() => session.destroy());
      const began = performance.now();
      const stream = session.request({ ":method": "POST", ":path": "/dns-query", "content-type": mediaType });
      stream.on("error", () => {});
      stream.write(Buffer.alloc(5));
      await once(session, "close");
      expect(performance.now() - began).toBeLessThan(soon);
    } else {
      const socket = await openTls(ports.https);
      cleanups.push(() => socket.destroy());
      socket.write(`POST /dns-query HTTP/1.1\r\nhost: x\r\ncontent-type: ${mediaType}\r\ncontent-length: 40\r\n\r\nab`);
      expect(await follow(socket).ended).toBeLessThan(soon);
    }
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });
});

describe("the lifetime of an answer", () => {
  const record = (ttl: number, owner = [0xc0, 12]) => [
    ...owner,
    0,
    1,
    0,
    1,
    ttl >> 24,
    ttl >> 16,
    ttl >> 8,
    ttl,
    0,
    1,
    9,
  ];
  const answer = (rcode: number, answers: number[][], authority: number[][] = []) =>
    Uint8Array.from([
      ...[0, 0, 0x84, rcode, 0, 1, 0, answers.length, 0, authority.length, 0, 0],
      ...[1, 120, 0, 0, 1, 0, 1],
      ...answers.flat(),
      ...authority.flat(),
    ]);

  test("is the smallest TTL of the answers", () => {
    expect(smallestTtl(answer(0, [record(300), record(60, [1, 121, 0xc0, 12]), record(90, [1, 121, 0])]))).toBe(60);
    expect(smallestTtl(answer(0, [record(300)], [record(5)]))).toBe(300);
  });

  test("without answers, is the TTL of the SOA record", () => {
    expect(smallestTtl(answer(3, [], [record(1200)]))).toBe(1200);
  });

  test("is 0 for errors", () => {
    expect(smallestTtl(answer(5, []))).toBe(0);
    expect(smallestTtl(answer(2, [record(60)]))).toBe(0);
  });
});
