/** Streams of TCP and TLS that are cut, ended, left open or reset, while other clients are answered. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ConnectionOptions } from "node:tls";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ask, queryOf, summary } from "../../engine/states.ts";
import { Daemon } from "../../machine/processes.ts";
import { allowEarlyData } from "../../network/early-data.ts";
import { follow, framed, openPlain, openTls } from "../../network/streams.ts";
import { queryOf as queryWith } from "../../scenarios/image.ts";
import { option } from "../../scenarios/packet.ts";
import { metric } from "./metrics.ts";
import { type Running, startRunning } from "./running.ts";
import { apex } from "./zone.ts";

let running: Running;
const opened: Socket[] = [];

beforeAll(async () => {
  running = await startRunning();
});

afterAll(() => running?.stop());

const www = Buffer.from(queryOf(`www.${apex} A`));
const answered = "NOERROR 192.0.2.10";
const header = (flags: number, questions: number) =>
  Buffer.from([0, 7, flags >> 8, flags & 255, 0, questions, 0, 0, 0, 0, 0, 0]);
const cut = Buffer.concat([header(0, 1), Buffer.of(9, 1)]);
const withFlags = (flags: number) =>
  Buffer.concat([www.subarray(0, 2), Buffer.of(flags >> 8, flags & 255), www.subarray(4)]);
const padded = (octets: number) =>
  queryWith({ name: `www.${apex}`, type: "A", edns: 1232, options: option(65_001, new Array(octets).fill(0)) });
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

/** Octets that are written at once, and the expected answers. */
const table: readonly (readonly [name: string, queries: readonly Uint8Array[], wanted: readonly string[]])[] = [
  ["a good query is answered", [www], [answered]],
  ["a header alone is malformed", [header(0, 0)], ["FORMERR"]],
  ["a good query after a malformed one is answered", [cut, www], ["FORMERR", answered]],
  ["100 queries at once are all answered", times(100, www), times(100, answered)],
  ["1,000 queries at once are all answered", times(1000, www), times(1000, answered)],
  ["AXFR is refused to an unlisted client", [queryOf(`${apex} AXFR`)], ["REFUSED"]],
  ["IXFR is refused to an unlisted client", [queryOf(`${apex} IXFR`)], ["REFUSED"]],
  ["DSO is not implemented", [withFlags(6 << 11)], ["NOTIMP"]],
  ["octets after the question are not read", [Buffer.concat([www, Buffer.alloc(8)])], [answered]],
  ["a query of 3 KB is answered", [padded(3000)], [answered]],
  ["a query of 65,535 octets is answered", [Buffer.concat([www, Buffer.alloc(65_535 - www.length)])], [answered]],
];

/** Checks that other clients are answered, over UDP and over TCP. */
async function assertAnswering(): Promise<void> {
  const server = { address: "127.0.0.1", port: running.ports.dns };
  for (const transport of ["tcp", "udp"] as const) {
    expect(await ask({ ...server, transport }, `${apex} SOA`)).toMatch(/^NOERROR \d+$/);
  }
}

const opener = {
  TCP: () => openPlain(running.ports.dns),
  TLS: () => openTls(running.ports.dot),
};

describe.each(["TCP", "TLS"] as const)("over %s", (transport) => {
  const open = async () => {
    const socket = await opener[transport]();
    opened.push(socket);
    return socket;
  };
  const write = async (octets: Uint8Array) => {
    const socket = await open();
    const followed = follow(socket);
    socket.write(octets);
    return { socket, ...followed };
  };
  const all = (queries: readonly Uint8Array[]) => Buffer.concat(queries.map(framed));

  afterAll(async () => {
    for (const socket of opened.splice(0)) socket.destroy();
    await running.assertUnharmed();
  });

  test.each(table)("%s", async (_, queries, wanted) => {
    const { messages } = await write(all(queries));
    await expect.poll(() => messages().length).toBe(wanted.length);
    expect(messages().map(summary)).toEqual(wanted);
    await assertAnswering();
  });

  test("ANY has one RRset", async () => {
    const { messages } = await write(framed(queryOf(`${apex} ANY`)));
    await expect.poll(() => messages().length).toBe(1);
    expect(messages()[0]!.readUInt16BE(6)).toBe(1);
    await assertAnswering();
  });

  test.each([0, 1, 11])("a length of %i ends the connection", async (length) => {
    const { ended, messages } = await write(Buffer.concat([Buffer.of(0, length), www]));
    expect(await ended).toBeLessThan(4000);
    expect(messages()).toEqual([]);
    await assertAnswering();
  });

  test("a response ends the connection, without an answer", async () => {
    const { ended, messages } = await write(framed(withFlags(0x8000)));
    expect(await ended).toBeLessThan(4000);
    expect(messages()).toEqual([]);
    await assertAnswering();
  });

  test("two queries from a client that then ends its side are both answered, then the server ends", async () => {
    const socket = await open();
    const { messages, ended } = follow(socket);
    socket.end(all([www, www]));
    await ended;
    expect(messages().map(summary)).toEqual([answered, answered]);
    await assertAnswering();
  });

  test("200 idle connections delay neither another connection nor UDP", async () => {
    for (let number = 0; number < 200; number++) await open();
    const { messages } = await write(framed(www));
    await expect.poll(() => messages().length, { timeout: 5000 }).toBe(1);
    await assertAnswering();
  });

  test("1,000 resets in the middle of answers do no harm", async () => {
    const flood = all(times(50, www));
    for (let round = 0; round < 1000; round++) {
      const socket = await openPlain(transport === "TCP" ? running.ports.dns : running.ports.dot);
      socket.write(flood);
      socket.resetAndDestroy();
    }
    await assertAnswering();
  });
});

/** Seconds that a connection lasts after its only write. */
const patience: readonly (readonly [name: string, octets: Uint8Array, seconds: number])[] = [
  ["a silent connection lasts ten seconds", Buffer.alloc(0), 10],
  ["an idle connection lasts ten seconds after an answer", framed(www), 10],
  ["a connection with half a message lasts five seconds", framed(www).subarray(0, 15), 5],
  ["a connection with an HTTP request lasts five seconds", Buffer.from("GET / HTTP/1.1\r\nhost: x\r\n\r\n"), 5],
  [
    "a connection with an unexpected ClientHello lasts five seconds",
    Buffer.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3),
    5,
  ],
];

describe.concurrent("slow and silent clients", () => {
  for (const transport of ["TCP", "TLS"] as const) {
    test.each(patience)(`%s over ${transport}`, async (_, octets, seconds) => {
      const socket = await opener[transport]();
      const { ended } = follow(socket);
      socket.write(octets);
      const lasted = (await ended) / 1000;
      expect(lasted).toBeGreaterThan(seconds - 0.5);
      expect(lasted).toBeLessThan(seconds + 4);
      await assertAnswering();
    });

    test(`a query that is sent at ten octets a second is answered over ${transport}`, async ({ expect }) => {
      const socket = await opener[transport]();
      const { messages } = follow(socket);
      for (const octet of framed(www)) {
        socket.write(Buffer.of(octet));
        await delay(100);
      }
      await expect.poll(() => messages().map(summary), { timeout: 5000 }).toEqual([answered]);
      socket.destroy();
      await assertAnswering();
    });
  }

  test("a client cannot renegotiate", async () => {
    const socket = await openTls(running.ports.dot, { maxVersion: "TLSv1.2" });
    const { ended } = follow(socket);
    const refused = new Promise((resolve) => socket.renegotiate({}, resolve));
    expect(await Promise.race([refused, ended])).not.toBeNull();
    socket.destroy();
    await assertAnswering();
  });
});

describe("TLS handshakes", () => {
  const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
  const open = (options?: ConnectionOptions) => openTls(running.ports.dot, options);
  const answers = async (options?: ConnectionOptions) => {
    const socket = await open(options);
    const { messages } = follow(socket);
    socket.write(framed(www));
    await expect.poll(() => messages().map(summary), { timeout: 5000 }).toEqual([answered]);
    socket.destroy();
  };

  test.each<[string, ConnectionOptions]>([
    ["without ALPN is served", {}],
    ["with the ALPN of DNS over TLS is served", { ALPNProtocols: ["dot"] }],
    ["that names another server is served", { servername: "other.example" }],
    ["of TLS 1.2 is served", { maxVersion: "TLSv1.2" }],
  ])("a client %s", async (_, options) => {
    await answers(options);
    await assertAnswering();
  });

  test.each<[string, ConnectionOptions]>([
    ["of TLS 1.1", old],
    ["with the ALPN of HTTP/2 alone", { ALPNProtocols: ["h2"] }],
    ["with an unknown ALPN", { ALPNProtocols: ["x".repeat(255)] }],
  ])("a client %s is refused", async (_, options) => {
    await expect(open(options)).rejects.toThrow();
    await assertAnswering();
  });

  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);

  test.each([
    ["dot", framed(www), framed(queryOf(`named.wild.${apex} A`)), "\x05named", "\x03www"],
    ["doh", get("/dns-query?dns=AAAA"), get("/elsewhere"), "404 Not Found", "400 Bad Request"],
  ] as const)("data before the handshake is done are dropped: %s", async (port, early, late, answer, never) => {
    const files = mkdtempSync(join(tmpdir(), "fairlead-early-"));
    onTestFinished(() => rmSync(files, { recursive: true }));
    const [session, data] = [join(files, "session"), join(files, "data")];
    const client = (...flags: readonly string[]) => {
      const words = ["s_client", "-connect", `127.0.0.1:${running.ports[port]}`, "-tls1_3", ...flags];
      return new Daemon("openssl", words, { stdio: ["pipe", "pipe", "pipe"] });
    };
    const first = client("-sess_out", session);
    await first.until(() => existsSync(session) && readFileSync(session, "utf8").includes("-----END"));
    first.child.stdin!.end();
    await expect.poll(() => first.ended).toBe(true);
    writeFileSync(session, allowEarlyData(readFileSync(session, "utf8")));
    writeFileSync(data, early);
    const second = client("-sess_in", session, "-early_data", data);
    await second.until(() => second.printed.includes("Early data was rejected"));
    second.child.stdin!.write(late);
    await second.until(() => second.printed.includes(answer));
    expect(second.printed).toContain("Reused, TLSv1.3");
    expect(second.printed).not.toContain(never);
    await second.end();
    await assertAnswering();
  });

  test("1,000 connections that are cut in the middle of a handshake, and 100 right after it, do no harm", async () => {
    const failed = () => metric(`${running.service.operator}/metrics`, "fairlead_tls_failed_total");
    const hello = Buffer.concat([Buffer.of(0x16, 3, 1, 0, 40, 1, 0, 0, 36, 3, 3), Buffer.alloc(20)]);
    const before = await failed();
    for (let round = 0; round < 1000; round++) {
      const port = round % 2 ? running.ports.dot : running.ports.doh;
      const socket = await openPlain(port);
      socket.write(hello.subarray(0, 1 + (round % hello.length)));
      if (round % 3 === 0) socket.resetAndDestroy();
      else socket.destroy();
    }
    for (let round = 0; round < 100; round++) {
      const socket = await open();
      if (round % 2) socket.write(framed(www));
      socket.destroy();
    }
    await expect.poll(failed).toBeGreaterThan(before);
    await answers();
    await assertAnswering();
    await running.assertUnharmed();
  });
});
