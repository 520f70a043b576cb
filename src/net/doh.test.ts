import { once } from "node:events";
import { request as http1Request, type RequestOptions } from "node:https";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import {
  follow,
  frame,
  getFields,
  type HttpReply,
  openHttp2,
  openTls,
  plainQuery,
  preface,
  query,
  request,
  startStreams,
} from "../../test/streams.ts";
import { smallestTtl } from "./doh.ts";
import { tcpCounts } from "./tcp.ts";
import type { TcpLimits } from "./tcp-connection.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(limits: Partial<TcpLimits> = {}) {
  const started = await startStreams({ limits });
  cleanups.push(() => started.server.close(100));
  return started;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

type Ask = (port: number, asked: Asked) => Promise<HttpReply>;

async function askHttp2(port: number, { method, path, headers, body }: Asked): Promise<HttpReply> {
  const session = await openHttp2(port);
  cleanups.push(() => session.destroy());
  return request(session, { ":method": method, ":path": path, ...headers }, body);
}

async function askHttp1(port: number, { method, path, headers = {}, body }: Asked): Promise<HttpReply> {
  const options: RequestOptions = { host: "127.0.0.1", port, method, path, headers, rejectUnauthorized: false };
  const sent = http1Request({ ...options, agent: false });
  sent.on("error", () => {});
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const octets of response) chunks.push(octets);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const message = "application/dns-message";
const post = (body: Uint8Array, type = message): Asked => ({
  method: "POST",
  path: "/dns-query",
  headers: type === "" ? {} : { "content-type": type },
  body,
});
const get = (dns: string): Asked => ({ method: "GET", path: `/dns-query${dns}` });
const coded = (octets: Buffer) => octets.toString("base64url");
const good = query(7, 33);
const fields = getFields(`/dns-query?dns=${coded(good)}`);

/** Status and, where it matters, what the reply must carry. */
const table: readonly [name: string, asked: Asked, status: number][] = [
  ["GET", get(`?dns=${coded(good)}`), 200],
  ["GET with another parameter", get(`?x=1&dns=${coded(good)}`), 200],
  ["POST", post(good), 200],
  ["POST with a parameter of the type", post(good, `${message}; charset=x`), 200],
  ["GET that accepts JSON", { ...get(`?dns=${coded(good)}`), headers: { accept: "application/json" } }, 200],
  ["GET without dns", get(""), 400],
  ["GET with an empty dns", get("?dns="), 400],
  ["GET that is not base64url", get("?dns=a+b/c*"), 400],
  ["GET of 3 octets", get("?dns=AAAA"), 400],
  ["GET with padding", get(`?dns=${query(1, 13).toString("base64").replaceAll("+", "-").replaceAll("/", "_")}`), 400],
  ["GET with dns twice", get(`?dns=${coded(good)}&dns=${coded(good)}`), 400],
  ["empty POST", post(Buffer.alloc(0)), 400],
  ["POST of a response", post(Buffer.concat([Buffer.of(0, 1, 0x80), Buffer.alloc(9)])), 400],
  ["POST of text", post(good, "text/plain"), 415],
  ["POST without a type", post(good, ""), 415],
  ["POST of 70,000 octets", post(query(1, 70_000)), 413],
  ["GET of 20 KB", get(`?dns=${coded(query(1, 15_000))}`), 414],
  ["PUT", { ...post(good), method: "PUT" }, 405],
  ["DELETE", { method: "DELETE", path: "/dns-query" }, 405],
  ["another path", { method: "GET", path: `/?dns=${coded(good)}` }, 404],
  ["a query that faults", post(query(1, 12, 255)), 503],
];

describe.each<[string, Ask]>([
  ["HTTP/2", askHttp2],
  ["HTTP/1.1", askHttp1],
])("DNS over HTTPS by %s", (_, ask) => {
  test.each(table)("%s: %#", async (_name, asked, status) => {
    const { ports } = await start();
    const reply = await ask(ports.https, asked);
    expect(reply.status).toBe(status);
    if (status === 200) {
      expect(reply.body).toEqual(good);
      expect(reply.headers).toMatchObject({ "content-type": message, "cache-control": "max-age=0" });
    }
    if (status === 405) expect(reply.headers["allow"]).toBe("GET, HEAD, POST");
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

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

describe("connections of HTTP/2", () => {
  test("1,000 requests over one connection are all answered", async () => {
    const { ports } = await start();
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    const paths = Array.from({ length: 1000 }, (_, number) => `/dns-query?dns=${coded(query(number))}`);
    const replies = await Promise.all(paths.map((path) => request(session, { ":path": path })));
    expect(replies.every(({ body }, number) => body[1] === (number & 255))).toBe(true);
  });

  test.each([
    [
      "streams that are opened and reset",
      (id: number) => [frame(1, 5, id, fields), frame(3, 0, id, Buffer.of(0, 0, 0, 8))],
    ],
    ["pings", () => [frame(6, 0, 0, Buffer.alloc(8))]],
    ["settings", () => [frame(4, 0, 0, Buffer.of(0, 4, 0, 0, 0xff, 0xff))]],
    [
      "header fields that go on",
      (id: number) => [
        frame(id === 1 ? 1 : 9, 0, 1, Buffer.concat([Buffer.of(0x40, 2, 0x78, 0x78, 100), Buffer.alloc(100, 0x61)])),
      ],
    ],
  ])("%s without end and without reading: the connection ends, in bounded memory", async (_, frames) => {
    const { ports, counts } = await start({ idle: 1000, message: 1000, stall: 1000 });
    const socket = await openTls(ports.https, { ALPNProtocols: ["h2"] });
    cleanups.push(() => socket.destroy());
    const before = process.memoryUsage().rss;
    socket.pause();
    socket.write(preface);
    for (let id = 1; id < 100_000 && counts[tcpCounts.connections]! > 0; id += 100) {
      socket.write(Buffer.concat(Array.from({ length: 50 }, (_, at) => frames(id + 2 * at)).flat()));
      await delay(2);
    }
    await expect.poll(() => counts[tcpCounts.connections], { timeout: 5000 }).toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test.each([
    ["64 KB of header fields", { "x-long": "x".repeat(64_000) }],
    ["1,000 header fields", Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, "1"]))],
    ["a GET of 200 KB", { ":path": `/dns-query?dns=${"A".repeat(200_000)}` }],
  ])("%s: refused, and the next query answered", async (_, headers) => {
    const { ports } = await start();
    const session = await openHttp2(ports.https);
    cleanups.push(() => session.destroy());
    const path = `/dns-query?dns=${coded(good)}`;
    const ended = await request(session, { ":path": path, ...headers }).catch((error) => error);
    expect(ended.status === undefined || ended.status >= 400).toBe(true);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });

  test("answers left unread are bounded, and the connection is closed", async () => {
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

  test("what is not HTTP/2 after its ALPN ends the connection", async () => {
    const { ports } = await start({ message: 300 });
    const socket = await openTls(ports.https, { ALPNProtocols: ["h2"] });
    cleanups.push(() => socket.destroy());
    socket.write(Buffer.alloc(100, 0x41));
    expect(await follow(socket).ended).toBeLessThan(1000);
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });
});

describe.each(["h2", "http/1.1"])("a slow client of %s", (protocol) => {
  test("that asks nothing is closed at the message time", async () => {
    const { ports } = await start({ message: 300 });
    const socket = await openTls(ports.https, { ALPNProtocols: [protocol] });
    cleanups.push(() => socket.destroy());
    const elapsed = await follow(socket).ended;
    expect(elapsed).toBeGreaterThan(200);
    expect(elapsed).toBeLessThan(1000);
  });

  test("whose request goes on for too long is closed", async () => {
    const { ports } = await start({ message: 300 });
    if (protocol === "h2") {
      const session = await openHttp2(ports.https);
      cleanups.push(() => session.destroy());
      const began = performance.now();
      const stream = session.request({ ":method": "POST", ":path": "/dns-query", "content-type": message });
      stream.on("error", () => {});
      stream.write(Buffer.alloc(5));
      await once(session, "close");
      expect(performance.now() - began).toBeLessThan(1000);
    } else {
      const socket = await openTls(ports.https);
      cleanups.push(() => socket.destroy());
      socket.write(`POST /dns-query HTTP/1.1\r\nhost: x\r\ncontent-type: ${message}\r\ncontent-length: 40\r\n\r\nab`);
      expect(await follow(socket).ended).toBeLessThan(1000);
    }
    expect(await plainQuery(ports.tcp)).toBeLessThan(50);
  });
});

describe("how long an answer is good", () => {
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

  test("the smallest TTL of the answers counts", () => {
    expect(smallestTtl(answer(0, [record(300), record(60, [1, 121, 0xc0, 12]), record(90, [1, 121, 0])]))).toBe(60);
    expect(smallestTtl(answer(0, [record(300)], [record(5)]))).toBe(300);
  });

  test("without answers that of the SOA", () => {
    expect(smallestTtl(answer(3, [], [record(1200)]))).toBe(1200);
  });

  test("what is refused is not kept", () => {
    expect(smallestTtl(answer(5, []))).toBe(0);
    expect(smallestTtl(answer(2, [record(60)]))).toBe(0);
  });
});
