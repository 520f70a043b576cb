import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { plainReplies } from "../../test/replies.ts";
import { ask, baselineOf, queryOf, recordState, summary, zoneState } from "../../test/states.ts";
import { certificate, follow, framed, openHttp2, openPlain, openTls, request, shortestOf } from "../../test/streams.ts";
import { LiveTable } from "../answer/live/table.ts";
import { newLog } from "../lib/log.ts";
import { bindSecure, bindSocket, closeSockets } from "./listening.ts";
import { EdgeState } from "./state.ts";
import { Workers } from "./workers.ts";

const log = newLog("silent", "test");
const zone = zoneState("example.com");
const records = [
  recordState(zone, "www.example.com", "A", ["192.0.2.1"]),
  recordState(zone, "www.example.com", "TXT", ["text"]),
];

const directory = mkdtempSync(join(tmpdir(), "fairlead-streams-"));
const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
const ports = { tcp: 0, tls: 0, https: 0 };
let workers: Workers;
let stop: () => Promise<void>;

beforeAll(async () => {
  writeFileSync(files.cert, certificate.cert);
  writeFileSync(files.key, certificate.key);
  const sockets = [await bindSocket({ address: "127.0.0.1", port: 0 }, "auto", 1)];
  const any = { address: "127.0.0.1", port: 0 };
  const secure = [bindSecure({ transport: "tls", ...any }), bindSecure({ transport: "https", ...any })];
  workers = new Workers({
    sockets,
    streams: { secure, certificate: files, proxies: [] },
    share: () => state.share()!,
    live: new LiveTable().share(),
    geo: () => undefined,
    replies: () => plainReplies,
    log,
  });
  const state = new EdgeState({
    log,
    onImage: (share) => workers.tell({ kind: "image", share }),
    onGrow: (share) => workers.tell({ kind: "grown", share }),
  });
  stop = async () => {
    await workers.stop();
    closeSockets([...sockets, ...secure]);
  };
  await state.start(baselineOf([zone], records));
  const [, streams] = await Promise.all(workers.slots.map((slot) => slot.start()));
  Object.assign(ports, { tcp: streams![0], tls: streams![1], https: streams![2] });
});

afterAll(async () => {
  await stop();
  rmSync(directory, { recursive: true });
});

const www = Buffer.from(queryOf("www.example.com A"));
const header = (flags: number, questions: number) =>
  Buffer.from([0, 7, flags >> 8, flags & 255, 0, questions, 0, 0, 0, 0, 0, 0]);
const cut = Buffer.concat([header(0, 1), Buffer.of(9, 1)]);
const withFlags = (flags: number) =>
  Buffer.concat([www.subarray(0, 2), Buffer.of(flags >> 8, flags & 255), www.subarray(4)]);
/** With an OPT record that holds one unknown option. */
const withOption = (octets: number) => {
  const opt = Buffer.alloc(11 + 4 + octets);
  opt.writeUInt16BE(41, 1);
  opt.writeUInt16BE(1232, 3);
  opt.writeUInt16BE(4 + octets, 9);
  opt.writeUInt16BE(65_001, 11);
  opt.writeUInt16BE(octets, 13);
  const query = Buffer.concat([www, opt]);
  query[11] = 1;
  return query;
};
const times = (count: number) => Array.from({ length: count }, () => www);

/** What is written at once, and the answers in short. */
const table: readonly [name: string, queries: readonly Uint8Array[], wanted: readonly string[]][] = [
  ["a good query", [www], ["NOERROR 192.0.2.1"]],
  ["a header without a question", [header(0, 0)], ["FORMERR"]],
  ["a malformed query, then a good one", [cut, www], ["FORMERR", "NOERROR 192.0.2.1"]],
  ["100 queries", times(100), times(100).map(() => "NOERROR 192.0.2.1")],
  ["1,000 queries", times(1000), times(1000).map(() => "NOERROR 192.0.2.1")],
  ["AXFR", [queryOf("example.com AXFR")], ["REFUSED"]],
  ["IXFR", [queryOf("example.com IXFR")], ["REFUSED"]],
  ["DSO", [withFlags(6 << 11)], ["NOTIMP"]],
  ["octets after the question", [Buffer.concat([www, Buffer.alloc(8)])], ["NOERROR 192.0.2.1"]],
  ["a query of 3 KB", [withOption(3000)], ["NOERROR 192.0.2.1"]],
  ["a query of 65,535 octets", [Buffer.concat([www, Buffer.alloc(65_535 - www.length)])], ["NOERROR 192.0.2.1"]],
];

const soa = async () => {
  expect(await ask({ address: "127.0.0.1", port: ports.tcp, transport: "tcp" }, "example.com SOA")).toBe("NOERROR 1");
};
const within50 = async () => expect(await shortestOf(soa)).toBeLessThan(50);

const opened: Socket[] = [];
const openers = { tcp: openPlain, tls: openTls };

describe.each(["tcp", "tls"] as const)("bad input over %s", (transport) => {
  const open = async () => {
    const socket = await openers[transport](ports[transport]);
    opened.push(socket);
    return socket;
  };
  const write = async (...queries: readonly Uint8Array[]) => {
    const socket = await open();
    const followed = follow(socket);
    socket.write(Buffer.concat(queries));
    return { socket, ...followed };
  };
  afterAll(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  test.each(table)("%s", async (_, queries, wanted) => {
    const { messages } = await write(...queries.map(framed));
    await expect.poll(() => messages().length, { timeout: 5000 }).toBe(wanted.length);
    expect(messages().map(summary)).toEqual(wanted);
    await within50();
  });

  test("ANY is answered with one RRset", async () => {
    const { messages } = await write(framed(queryOf("www.example.com ANY")));
    await expect.poll(() => messages().length).toBe(1);
    expect(messages()[0]!.readUInt16BE(6)).toBe(1);
    await within50();
  });

  test.each([0, 1, 11])("a length of %i closes the connection", async (length) => {
    const { ended } = await write(Buffer.of(0, length), www);
    expect(await ended).toBeLessThan(1000);
    await within50();
  });

  test("a response closes the connection without an answer", async () => {
    const { ended, messages } = await write(framed(withFlags(0x8000)));
    expect(await ended).toBeLessThan(1000);
    expect(messages()).toEqual([]);
    await within50();
  });

  test("two queries, then half-closed: both answered, then the end", async () => {
    const socket = await open();
    const { messages, ended } = follow(socket);
    socket.end(Buffer.concat([framed(www), framed(www)]));
    await ended;
    expect(messages().map(summary)).toEqual(["NOERROR 192.0.2.1", "NOERROR 192.0.2.1"]);
    await within50();
  });

  test("an octet every 0.1 s is answered", async () => {
    const socket = await open();
    const { messages } = follow(socket);
    for (const octet of framed(www)) {
      socket.write(Buffer.of(octet));
      await delay(100);
    }
    await expect.poll(() => messages().map(summary)).toEqual(["NOERROR 192.0.2.1"]);
    await within50();
  });

  test("who is silent or idle is closed after 10 s; half a message, HTTP and a ClientHello after 5 s", async () => {
    const clientHello = Buffer.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3);
    const halves = [framed(www).subarray(0, 15), Buffer.from("GET / HTTP/1.1\r\nhost: x\r\n\r\n"), clientHello];
    const times = [Buffer.alloc(0), framed(www), ...halves].map(async (octets) => (await write(octets)).ended);
    const seconds = (await Promise.all(times)).map((elapsed) => Math.round(elapsed / 1000));
    expect(seconds).toEqual([10, 10, 5, 5, 5]);
    await within50();
  });

  test("200 idle connections hold up neither a new one nor UDP", async () => {
    for (let number = 0; number < 200; number++) await open();
    const began = performance.now();
    const { messages } = await write(framed(www));
    await expect.poll(() => messages().length).toBe(1);
    expect(performance.now() - began).toBeLessThan(1000);
    expect(await ask({ address: "127.0.0.1", port: ports.tcp }, "www.example.com A")).toBe("NOERROR 192.0.2.1");
    await within50();
  });

  test("1,000 resets in the middle of answers do no harm", async () => {
    const flood = Buffer.concat(times(50).map(framed));
    for (let round = 0; round < 1000; round++) {
      const socket = await openPlain(ports[transport]);
      socket.write(flood);
      socket.resetAndDestroy();
    }
    if (transport === "tls") {
      for (let round = 0; round < 200; round++) (await openTls(ports.tls)).destroy();
    }
    await within50();
    expect(workers.slots.map(({ restarts }) => restarts)).toEqual([0, 0]);
  });
});

describe("DNS inside HTTPS", () => {
  test.each<[string, Uint8Array, string]>([
    ["NXDOMAIN", queryOf("nx.example.com A"), "NXDOMAIN"],
    ["REFUSED", queryOf("example.org A"), "REFUSED"],
    ["FORMERR", cut, "FORMERR"],
    ["AXFR", queryOf("example.com AXFR"), "REFUSED"],
  ])("%s is a success of HTTP", async (_, query, wanted) => {
    const session = await openHttp2(ports.https);
    const headers = { ":method": "POST", ":path": "/dns-query", "content-type": "application/dns-message" };
    const { status, body } = await request(session, headers, query);
    session.destroy();
    expect([status, summary(body)]).toEqual([200, wanted]);
    await within50();
  });

  test("an answer is kept as long as its smallest TTL", async () => {
    const session = await openHttp2(ports.https);
    const replies = ["www.example.com A", "nx.example.com A"].map((question) =>
      request(session, { ":path": `/dns-query?dns=${Buffer.from(queryOf(question)).toString("base64url")}` }),
    );
    const ages = (await Promise.all(replies)).map(({ headers }) => headers["cache-control"]);
    session.destroy();
    expect(ages).toEqual(["max-age=300", "max-age=3600"]);
  });
});
