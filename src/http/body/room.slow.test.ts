/** The memory that bodies share, over connections. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenLibrary, openLibrary } from "../../../test/service/library.ts";

let open: OpenLibrary;
let registry: Registry;
async function start(request: number) {
  registry = new Registry();
  open = await openLibrary({ registry, limits: { request } });
}
beforeEach(() => start(5000));
afterEach(() => open.server.close());

/** The octets that bodies hold: small ones, and large ones. */
async function held(): Promise<(number | undefined)[]> {
  const { values = [] } = (await registry.getSingleMetric("fairlead_http_body_octets")?.get()) ?? {};
  return ["small", "large"].map((size) => values.find(({ labels }) => labels["size"] === size)?.value);
}

const large = (letters: number) => `"${"x".repeat(letters - 2)}"`;

/** Sends a request, and can withhold the last octet of its body. */
class Sender {
  readonly #socket: Socket;
  readonly #last: string;
  readonly status: Promise<number>;
  isAnswered = false;

  constructor(path: string, body: string, { key = "librarian-key", withhold = false, chunked = false } = {}) {
    this.#socket = connect(open.port, "127.0.0.1");
    const length = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
    const whole = chunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
    const sent = withhold ? whole.slice(0, -1) : whole;
    this.#last = whole.slice(sent.length);
    this.#socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nX-NSONE-Key: ${key}\r\n${length}\r\n\r\n${sent}`);
    this.status = this.#answer();
  }

  finish(): Promise<number> {
    this.#socket.write(this.#last);
    return this.status;
  }

  leave(): void {
    this.#socket.destroy();
  }

  async #answer(): Promise<number> {
    const [chunk] = await once(this.#socket, "data");
    this.isAnswered = true;
    this.#socket.destroy();
    return Number(String(chunk).slice(9, 12));
  }
}

const path = "/v1/books/one/large";
const five = large(5_000_000);

describe("bodies that withhold their last octet", () => {
  test("take up the room of their account only; its other large bodies wait, its small ones do not", async () => {
    const senders = Array.from({ length: 3 }, () => new Sender(path, five, { withhold: true }));
    await expect.poll(held).toEqual([0, 15_000_000]);
    const waiting = [new Sender(path, five), new Sender(path, large(20_000), { chunked: true })];
    expect(await new Sender(path, large(16_384)).status).toBe(200);
    expect(await new Sender(path, five, { key: "branch-key" }).status).toBe(200);
    expect(waiting.map(({ isAnswered }) => isAnswered)).toEqual([false, false]);
    expect(await senders[0]!.finish()).toBe(200);
    expect(await Promise.all(waiting.map(({ status }) => status))).toEqual([200, 200]);
    for (const sender of senders) sender.leave();
    await expect.poll(held).toEqual([0, 0]);
  });

  test("are refused when their time is over, and give their room back", async () => {
    await open.server.close();
    await start(300);
    const senders = [new Sender(path, five, { withhold: true }), new Sender(path, large(100), { withhold: true })];
    expect(await Promise.all(senders.map(({ status }) => status))).toEqual([408, 408]);
    expect(await held()).toEqual([0, 0]);
  });
});

test("a body of unannounced length takes as much room as it can need, and then as much as it has", async () => {
  const sender = new Sender(path, large(100_000), { chunked: true, withhold: true });
  await expect.poll(held).toEqual([0, 5_000_000]);
  expect(await sender.finish()).toBe(200);
  expect(await new Sender(path, large(6_000_000), { chunked: true }).status).toBe(413);
});

test("a request without a key takes 16 KiB", async () => {
  const named = (letters: number) => `{"name":${large(letters - 9)}}`;
  const send = (letters: number) =>
    fetch(`${open.url}/v1/card`, {
      method: "POST",
      body: named(letters),
      headers: { origin: open.url, "content-type": "application/json" },
    });
  expect([(await send(16_384)).status, (await send(16_385)).status]).toEqual([200, 413]);
});
