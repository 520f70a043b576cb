/** Places of connections and requests, with sockets that are not connected, and over real ones. */
import { once } from "node:events";
import { connect, Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type OpenLibrary, openLibrary } from "../../../test/service/library.ts";
import { Connections } from "./connections.ts";

/** Addresses with a colon are in the network before it, others are networks of their own. */
const client = (bucket: string) => ({ bucket, network: bucket.split(":")[0]! });

describe("places", () => {
  let places: Connections;
  beforeEach(() => {
    places = new Connections({ all: 8, share: 2 });
  });

  /** Takes places for an address; busy ones have a request under way. */
  const take = (address: string | undefined, count: number, { busy = false } = {}) =>
    Array.from({ length: count }, () => {
      const socket = new Socket();
      const accepted = places.add(socket, address === undefined ? undefined : client(address));
      if (busy) places.begin(socket);
      return { socket, accepted };
    });
  const accepted = (taken: ReturnType<typeof take>) => taken.map((one) => one.accepted);
  const alive = (taken: ReturnType<typeof take>) => taken.map(({ socket }) => !socket.destroyed);

  test("below half of all, an address may have more than its share", () => {
    const taken = take("a", 4);
    expect([accepted(taken), alive(taken)]).toEqual([Array(4).fill(true), Array(4).fill(true)]);
  });

  test("from half on, an address above its share gives up its own quiet connections, the longest quiet first", () => {
    const first = take("a", 4);
    places.begin(first[0]!.socket);
    places.begin(first[1]!.socket);
    places.end(first[0]!.socket);
    const more = take("a", 1);
    expect([accepted(more), alive(first)]).toEqual([[true], [true, true, false, true]]);
    const other = take("b", 4);
    expect([accepted(other), alive(first), alive(other)]).toEqual([
      Array(4).fill(true),
      [true, true, false, true],
      [false, false, true, true],
    ]);
  });

  test("an address whose connections are all busy gets no place above its share, another address does", () => {
    take("a", 4, { busy: true });
    expect(accepted(take("a", 1))).toEqual([false]);
    expect(accepted(take("b", 2, { busy: true }))).toEqual([true, true]);
    expect([places.refused, places.evicted]).toEqual([1, 0]);
  });

  test("when all places are taken, the longest quiet connection of all goes, and a busy one never", () => {
    const groups = ["a", "b", "c", "d"].map((address) => take(address, 2));
    for (const group of groups.slice(0, 3)) for (const { socket } of group) places.begin(socket);
    expect(accepted(take("e", 2, { busy: true }))).toEqual([true, true]);
    expect(groups.map(alive)).toEqual([...Array(3).fill([true, true]), [false, false]]);
    expect(accepted(take("f", 1))).toEqual([false]);
    places.end(groups[1]![1]!.socket);
    expect(accepted(take("f", 1))).toEqual([true]);
    expect(alive(groups[1]!)).toEqual([true, false]);
    expect(places.size).toBe(8);
  });

  test("proxies have no share; the requests of each address that they report have", () => {
    expect(accepted(take(undefined, 4, { busy: true }))).toEqual(Array(4).fill(true));
    expect([1, 2, 3].map(() => places.beginFor(client("a")))).toEqual([true, true, false]);
    expect(places.beginFor(client("b"))).toBe(true);
    places.endFor(client("a"));
    expect(places.beginFor(client("a"))).toBe(true);
    expect(accepted(take(undefined, 4, { busy: true }))).toEqual(Array(4).fill(true));
  });

  test("a network has at most half of all places once they are taken, whatever its number of addresses", async () => {
    const first = ["n:1", "n:2", "n:3", "n:4"].flatMap((address) => take(address, 1));
    expect(accepted(first)).toEqual(Array(4).fill(true));
    places.begin(first[0]!.socket);
    expect([accepted(take("n:5", 1)), alive(first)]).toEqual([[true], [true, false, true, true]]);
    expect(accepted(take("other", 2))).toEqual([true, true]);
    expect(["n:1", "n:2", "n:3", "n:4", "n:5"].map((address) => places.beginFor(client(address)))).toEqual([
      ...Array(4).fill(true),
      false,
    ]);
    expect(places.beginFor(client("other"))).toBe(true);
    places.endFor(client("n:1"));
    expect(places.beginFor(client("n:6"))).toBe(true);
  });

  test("a connection that closes gives its place back", async () => {
    const taken = take("a", 4, { busy: true });
    for (const { socket } of taken) {
      socket.destroy();
      await once(socket, "close");
    }
    expect(places.size).toBe(0);
    expect(accepted(take("a", 4))).toEqual(Array(4).fill(true));
  });
});

describe("over loopback", () => {
  let open: OpenLibrary;
  beforeEach(async () => {
    open = await openLibrary({ limits: { connections: 6, share: 1 } });
  });
  afterEach(() => open.server.close());

  /** A connection with a request whose body is withheld, and the first answer on it. */
  async function withheld(from: string | undefined) {
    const socket = connect(open.port, "127.0.0.1");
    await once(socket, "connect");
    const forwarded = from === undefined ? "" : `X-Forwarded-For: ${from}\r\n`;
    const key = "X-NSONE-Key: librarian-key";
    socket.write(
      `POST /v1/wishes HTTP/1.1\r\nHost: x\r\n${key}\r\n${forwarded}Content-Length: 14\r\n\r\n{"title":"it"`,
    );
    const status = once(socket, "data").then(([chunk]) => String(chunk).slice(9, 12));
    return { socket, status };
  }

  const hours = (from: string) =>
    fetch(`${open.url}/v1/hours`, { headers: { "x-forwarded-for": from, connection: "close" } });

  test("requests that a local proxy passes on count for their senders, and other senders are answered", async () => {
    const held = await Promise.all([undefined, undefined, "192.0.2.1", undefined].map(withheld));
    await expect.poll(() => open.library.asked.length).toBe(4);
    expect((await hours("192.0.2.1")).status).toBe(429);
    expect(((await (await hours("192.0.2.1")).json()) as { message: string }).message).toContain("under way");
    expect((await hours("192.0.2.2")).status).toBe(200);
    held[2]!.socket.write("}");
    expect(await held[2]!.status).toBe("200");
    await expect.poll(async () => (await hours("192.0.2.1")).status).toBe(200);
    for (const { socket } of held) socket.destroy();
  });

  test("a connection without a place is told so", async () => {
    const held = await Promise.all(Array.from({ length: 6 }, () => withheld(undefined)));
    // a request that has not arrived is not under way
    await expect.poll(() => open.library.asked.length).toBe(6);
    const response = await hours("192.0.2.1");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("too many connections"),
    });
    expect(held.filter(({ socket }) => socket.destroyed)).toEqual([]);
    for (const { socket } of held) socket.destroy();
  });
});
