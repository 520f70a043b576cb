/** Connections of clients that violate HTTP. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OpenLibrary, openLibrary } from "../../test/service/library.ts";

let open: OpenLibrary;
beforeAll(async () => {
  open = await openLibrary({ limits: { headers: 300, request: 800, keepAlive: 500 } });
});
afterAll(() => open.server.close());

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Writes the pieces one after the other and reads until the connection ends. */
async function talk(pieces: readonly (string | number)[], port = open.port): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    text += chunk;
  });
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()).on("error", () => {}));
  for (const piece of pieces) {
    if (typeof piece === "number") await delay(piece);
    else if (!socket.destroyed) socket.write(piece, "latin1");
  }
  await ended;
  return text;
}

/** Splits the output into answers, which must all be JSON. */
function answersIn(text: string): Answer[] {
  const answers: Answer[] = [];
  for (let rest = text; rest !== ""; ) {
    const [head = ""] = rest.split("\r\n\r\n", 1);
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]);
    const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
    const start = head.length + 4;
    answers.push({ status, head, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
  return answers;
}

const key = "X-NSONE-Key: librarian-key\r\n";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${key}${more}\r\n`;

async function only(pieces: readonly (string | number)[]): Promise<Answer> {
  const answers = answersIn(await talk(pieces));
  expect(answers).toHaveLength(1);
  return answers[0]!;
}

function expectRefusal({ status, head, body }: Answer, wanted: number) {
  expect(status).toBe(wanted);
  expect(head).toMatch(/content-type: application\/json/i);
  expect(head).toMatch(/x-ratelimit-limit: \d+/i);
  expect(JSON.parse(body)).toMatchObject({ message: expect.any(String), code: expect.any(String) });
}

describe("malformed and oversized requests", () => {
  const wrong: readonly [name: string, text: string, status: number][] = [
    ["nonsense", "\x16\x03\x01\x02\x00\r\n\r\n", 400],
    ["a header without a colon", "GET / HTTP/1.1\r\nHost: x\r\noops\r\n\r\n", 400],
    ["a NUL in a header", "GET / HTTP/1.1\r\nHost: x\r\nX-NSONE-Key: a\0b\r\n\r\n", 400],
    ["a second Content-Length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400],
    [
      "Content-Length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["HTTP/1.1 without Host", "GET /v1/books HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["two Host headers", "GET /v1/books HTTP/1.1\r\nHost: x\r\nhost: y\r\nConnection: close\r\n\r\n", 400],
    ["CONNECT", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n", 405],
    ["a negative Content-Length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400],
    ["headers of 64 KB", get("/v1/books", `X-Filler: ${"a".repeat(65_536)}\r\n`), 431],
    ["a URL of 64 KB", get(`/v1/${"a".repeat(65_536)}`), 431],
  ];
  for (const [name, text, status] of wrong) {
    test(`${name} is ${status}`, async () => expectRefusal(await only([text]), status));
  }

  test("a URL of 17 KB is 414, and a key of 8 KB with a URL of 8 KB is 401", async () => {
    expectRefusal(await only([get(`/v1/${"a".repeat(17_000)}`, "Connection: close\r\n")]), 414);
    const long = `GET /v1/books?q=${"a".repeat(8000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-NSONE-Key: ${"k".repeat(8192)}\r\n\r\n`;
    expectRefusal(await only([long]), 401);
  });

  test("a key with octets above ASCII is 401", async () => {
    const text = "GET /v1/books HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-NSONE-Key: libr\xe4rian\r\n\r\n";
    expectRefusal(await only([text]), 401);
  });

  test("two key headers are 401", async () => {
    expectRefusal(await only([get("/v1/books", `${key}Connection: close\r\n`)]), 401);
  });
});

describe("unusual methods", () => {
  for (const method of ["TRACE", "QUERY", "PROPFIND", "PATCH"]) {
    test(`${method} is refused in JSON`, async () => {
      const text = `${method} /v1/books HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}\r\n`;
      const answer = await only([text]);
      expectRefusal(answer, 405);
      expect(answer.head).toMatch(/^allow: GET, HEAD, OPTIONS$/im);
    });
  }

  test("a client that sends CONNECT and closes its connection does no harm", async () => {
    for (let round = 0; round < 20; round++) {
      const socket = connect(open.port, "127.0.0.1").on("error", () => {});
      const text = "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\nmore";
      await new Promise((resolve) => socket.write(text, resolve));
      socket.resetAndDestroy();
    }
    expect((await only([get("/v1/hours", "Connection: close\r\n")])).status).toBe(200);
  });

  test("a method override is not followed", async () => {
    const text = `POST /v1/books/one HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}X-HTTP-Method-Override: DELETE\r\nContent-Length: 2\r\n\r\n{}`;
    open.library.books.set("one", { title: "One", pages: 1, tags: {} });
    expect((await only([text])).status).toBe(200);
    expect(open.library.books.has("one")).toBe(true);
  });
});

const put = (more: string, body: string, book = "b") =>
  `PUT /v1/books/${book} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${key}${more}\r\n${body}`;

// concurrent, since each waits for about a second
describe.concurrent("slow and endless requests", () => {
  test("headers that arrive too slowly are refused with 408", async () => {
    const started = performance.now();
    expectRefusal(await only(["GET /v1/books HTTP/1.1\r\n", 200, "Host: x\r\n", 200, "X-A: b\r\n"]), 408);
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test("a body that arrives too slowly is refused with 408", async () => {
    const head = `PUT /v1/books/slow HTTP/1.1\r\nHost: x\r\n${key}Content-Length: 100\r\n\r\n`;
    const pieces = [head, ...Array.from({ length: 10 }, () => [" ", 100]).flat()];
    expectRefusal(await only(pieces), 408);
    expect(open.library.books.has("slow")).toBe(false);
  });

  test("an endless chunked body is refused", async () => {
    const head = `PUT /v1/books/endless HTTP/1.1\r\nHost: x\r\n${key}Transfer-Encoding: chunked\r\n\r\n`;
    const pieces = [head, ...Array.from({ length: 10 }, () => ["1\r\n \r\n", 100]).flat()];
    expectRefusal(await only(pieces), 408);
  });

  test("a connection without requests is closed", async () => {
    const started = performance.now();
    await talk([get("/v1/hours")]);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test("a request whose body is shorter than its Content-Length is not executed", async () => {
    expectRefusal(await only([put("Content-Length: 100\r\n", "{}", "short")]), 408);
    expect(open.library.books.has("short")).toBe(false);
  });

  test("an endless body above the limit is 413", async () => {
    const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
    const head = `PUT /v1/books/b HTTP/1.1\r\nHost: x\r\n${key}Transfer-Encoding: chunked\r\n\r\n`;
    const { port, server } = await openLibrary();
    const [answer] = answersIn(await talk([head, ...Array.from({ length: 80 }, () => [chunk, 2]).flat()], port));
    expectRefusal(answer!, 413);
    expect(answer?.head).toMatch(/^connection: close$/im);
    await server.close();
  });

  test("a refusal before the end of the body is the only answer, and ends the connection", async () => {
    const { port, server } = await openLibrary();
    const head = "PUT /v1/books/b HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n";
    const started = performance.now();
    const answers = answersIn(await talk([head, 50, "{"], port));
    expect(performance.now() - started).toBeLessThan(5000);
    expect(answers).toHaveLength(1);
    expectRefusal(answers[0]!, 401);
    expect(answers[0]!.head).toMatch(/^connection: close$/im);
    const text = await talk([head, 50, "x".repeat(100), get("/v1/hours", "Connection: close\r\n")], port);
    expect(answersIn(text).map(({ status }) => status)).toEqual([401, 200]);
    await server.close();
  });
});

describe("bodies", () => {
  test("chunks are read, and broken ones are 400", async () => {
    const chunked = "Transfer-Encoding: chunked\r\n";
    expect((await only([put(chunked, '3\r\n{"p\r\n9\r\nages": 4}\r\n0\r\n\r\n')])).body).toContain('"pages":4');
    expectRefusal(await only([put(chunked, "zz\r\n{}\r\n0\r\n\r\n")]), 400);
  });

  test("a client that sends Expect: 100-continue gets the 100 response", async () => {
    open.library.books.clear();
    const text = await talk([put("Expect: 100-continue\r\nContent-Length: 11\r\n", ""), 100, '{"pages":7}']);
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
    expect(text).toContain('"pages":7');
  });

  test("a refusal of Expect: 100-continue comes instead of the 100 response", async () => {
    const head = "PUT /v1/books/b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n";
    expectRefusal(await only([`${head}Content-Length: 2\r\n\r\n`]), 401);
    expectRefusal(await only([`${head}${key}Content-Length: 5000000\r\n\r\n`]), 413);
  });

  test("a body on GET does not become the next request", async () => {
    const smuggled = "GET /v1/none HTTP/1.1\r\nHost: x\r\n\r\n";
    const text = await talk([
      `GET /v1/hours HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
      get("/v1/hours", "Connection: close\r\n"),
    ]);
    expect(answersIn(text).map(({ status }) => status)).toEqual([200, 200]);
  });

  test("a refused body does not become the next request either", async () => {
    const text = await talk([
      "PUT /v1/books/b HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
      get("/v1/hours", "Connection: close\r\n"),
    ]);
    expect(answersIn(text).map(({ status }) => status)).toEqual([401, 200]);
  });
});

describe("connections", () => {
  test("pipelined requests are answered in order", async () => {
    open.library.books = new Map([["one", { title: "One", pages: 1, tags: {} }]]);
    const paths = ["/v1/books/one", "/v1/none", "/v1/books/one/echo/2", "/v1/hours"];
    const text = await talk([paths.map((path, at) => get(path, at === 3 ? "Connection: close\r\n" : "")).join("")]);
    const answers = answersIn(text);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    expect(answers.map(({ body }) => body)[2]).toBe('["one","2"]\n');
  });

  test("HTTP/1.0 and absolute request targets are understood", async () => {
    expect((await only([`GET /v1/hours HTTP/1.0\r\n\r\n`])).status).toBe(200);
    expect((await only([get("http://anything.example/v1/hours", "Connection: close\r\n")])).status).toBe(200);
  });

  test("a path with dot segments reaches its route", async () => {
    expect((await only([get("/v1/../alerting/v1/alerts", "Connection: close\r\n")])).status).toBe(200);
  });

  test("a connection above the limit gets the place of one that is quiet", async () => {
    const { port, server } = await openLibrary({ limits: { connections: 1 } });
    const quiet = talk([], port);
    await delay(50);
    expect(answersIn(await talk([get("/v1/hours", "Connection: close\r\n")], port))).toMatchObject([{ status: 200 }]);
    expect(await quiet).toBe("");
    await server.close();
  });

  test("a closing server finishes running requests, ends idle connections and accepts no more", async () => {
    const { port, server, library } = await openLibrary();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const authenticate = library.authenticate.bind(library);
    library.authenticate = async (sent) => {
      await released;
      return authenticate(sent);
    };
    const idle = talk([get("/healthless", "")], port);
    await delay(50);
    const running = talk([get("/v1/books")], port);
    await delay(50);
    const closed = server.close();
    await idle;
    await expect(fetch(`http://127.0.0.1:${port}/v1/hours`)).rejects.toThrow();
    release();
    const [answer] = answersIn(await running);
    expect([answer?.status, /^connection: close$/im.test(answer?.head ?? "")]).toEqual([200, true]);
    await closed;
  });

  test("a closing server ends the connection of a download when the file is sent", async () => {
    const { port, server } = await openLibrary({ limits: { closing: 120_000 } });
    const socket = connect(port, "127.0.0.1", () => socket.write(get("/v1/scan", "")));
    await once(socket, "readable");
    const closed = server.close();
    await once(socket.resume(), "close");
    await closed;
  });

  test("a closing server does not wait forever", async () => {
    const { port, server, library } = await openLibrary({ limits: { closing: 100 } });
    library.authenticate = () => new Promise(() => {});
    const running = talk([get("/v1/books")], port);
    await delay(50);
    await server.close();
    expect(await running).toBe("");
  });
});

test.each(["/large", "/v1/scan"])("a client that never reads %s is cut off, even if it sends more", async (path) => {
  const extra = [{ path: "/large", run: () => ({ body: "a".repeat(30_000_000) }) }];
  const { server, port } = await openLibrary({ extra, limits: { unread: 300 } });
  const socket = connect(port, "127.0.0.1", () => socket.write(get(path))).pause();
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()).on("error", () => {}));
  // a client that does not read notices the close when it writes
  const asking = setInterval(() => socket.write("\r\n"), 50);
  await closed;
  clearInterval(asking);
  await server.close();
});
