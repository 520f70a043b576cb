/** Memory for answers that are not read. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { openLibrary } from "../../../test/service/library.ts";

const large = 30 * 1024 * 1024;

test("a client that reads none of its answers is refused, then cut off; others, and those who read, are answered", async () => {
  const extra = [{ path: "/large", run: () => ({ body: "a".repeat(large) }) }];
  const { server, port, url } = await openLibrary({ extra });
  const status = async (key?: string) =>
    (await fetch(`${url}/v1/hours`, { headers: key === undefined ? {} : { "X-NSONE-Key": key } })).status;
  const ask = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    // an end without an answer makes a socket readable, too
    await once(socket, "readable");
    if (socket.readableLength === 0) throw new Error("no answer");
    return socket;
  };
  const unread = [await ask(), await ask()];
  expect(await status()).toBe(200);
  unread.push(await ask(), await ask());
  expect([await status(), await status("librarian-key")]).toEqual([429, 200]);
  // the largest sum of an account's answers is reached
  await expect(ask()).rejects.toThrow();
  let read = 0;
  for (const socket of unread) socket.on("data", ({ length }: Buffer) => (read += length));
  await expect.poll(() => read).toBeGreaterThan(4 * large);
  await expect.poll(() => status()).toBe(200);
  for (const socket of unread) socket.destroy();
  await server.close();
});

test("pipelined answers are counted before they are sent, and given back when the connection ends", async () => {
  const extra = [{ path: "/large", run: () => ({ body: "a".repeat(large) }) }];
  const { server, port, url } = await openLibrary({ extra });
  const socket = connect(port, "127.0.0.1").pause();
  const closed = once(
    socket.on("error", () => {}),
    "close",
  );
  socket.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20));
  // the fifth answer is one too many
  socket.once("readable", () => socket.resume());
  await closed;
  await expect.poll(async () => (await fetch(`${url}/v1/hours`)).status).toBe(200);
  await server.close();
});
