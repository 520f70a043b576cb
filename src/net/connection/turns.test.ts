/** Turns of connections: with a simulated clock, and while one of them pipelines queries with large answers. */
import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { coded } from "../../../test/network/doh.ts";
import {
  follow,
  framed,
  openHttp2,
  openPlain,
  openTls,
  proxyHeader,
  query,
  request,
  startStreams,
} from "../../../test/network/streams.ts";
import { Turns, turn } from "./turns.ts";

function simulated() {
  const clock = { now: 0 };
  const turns = new Turns(() => clock.now);
  const order: string[] = [];
  /** Takes a turn of `time` milliseconds. */
  const go = (name: string, connection: ReturnType<Turns["of"]>, time: number) => {
    const task = () => {
      order.push(name);
      const started = clock.now;
      clock.now += time;
      connection.use(started);
    };
    if (connection.isFree) task();
    else connection.wait(task);
  };
  return { clock, turns, order, go };
}

describe("turns", () => {
  test("a client that has used its time waits for the next round, on all its connections; another one does not", async () => {
    const { turns, order, go } = simulated();
    const [a1, a2, b] = [turns.of("a"), turns.of("a"), turns.of("b")];
    go("a1", a1, turn.time / 2);
    go("a2", a2, turn.time / 2);
    go("a1", a1, 0);
    go("a2", a2, 0);
    go("b", b, 0);
    expect(order).toEqual(["a1", "a2", "b"]);
    await nextRound();
    expect(order).toEqual(["a1", "a2", "b", "a1", "a2"]);
  });

  test("clients that wait take turns, and so do the connections of each", async () => {
    const { turns, order, go } = simulated();
    const [a1, a2, b] = [turns.of("a"), turns.of("a"), turns.of("b")];
    for (const [name, connection] of Object.entries({ a1, b })) go(name, connection, turn.time);
    for (const name of ["a1", "a1", "a2", "b", "b"] as const) go(name, { a1, a2, b }[name], 0.1);
    await nextRound();
    expect(order.slice(2)).toEqual(["a1", "b", "a2", "b", "a1"]);
  });

  test("a round of turns ends after a millisecond, so that queries that have arrived are read", async () => {
    const { turns, order, go } = simulated();
    const a = turns.of("a");
    go("a", a, turn.time);
    for (let n = 0; n < 5; n++) go("a", a, turn.time);
    await nextRound();
    expect(order).toHaveLength(3);
    await nextRound();
    expect(order).toHaveLength(5);
  });

  test("of handshakes that begin at the same moment, a round has one or a few, and queries of all clients come first", async () => {
    const { clock, turns, order, go } = simulated();
    const begin = (host: string, time: number) =>
      void turns.of(host).begin(() => {
        order.push(host);
        clock.now += time;
      });
    for (const [host, time] of [
      ["a", 2],
      ["b", 2],
      ["b", 2],
      ["c", 0.6],
      ["d", 0.6],
    ] as const)
      begin(host, time);
    go("query of a", turns.of("a"), turn.time);
    go("second query of a", turns.of("a"), 0.1);
    expect(order.splice(0)).toEqual(["query of a"]);
    const rounds: string[][] = [];
    for (let n = 0; n < 4; n++) {
      await nextRound();
      rounds.push(order.splice(0));
      go("query of e", turns.of("e"), 0);
      rounds.push(order.splice(0));
    }
    const between = ["query of e"];
    expect(rounds).toEqual([["second query of a", "a"], between, ["b"], between, ["c", "d"], between, ["b"], between]);
  });

  test("a task may go on with its own work, whose time counts once", () => {
    const { clock, turns } = simulated();
    const a = turns.of("a");
    void a.run(() => {
      const started = clock.now;
      clock.now += 0.3;
      a.use(started);
      expect(a.isFree).toBe(true);
      clock.now += 0.1;
    });
    expect(a.isFree).toBe(true);
    void a.run(() => (clock.now += 0.1));
    expect(a.isFree).toBe(false);
  });

  test("a task that throws has used its time", async () => {
    const { clock, turns, order } = simulated();
    const a = turns.of("a");
    const fail = () =>
      a.run(() => {
        order.push("failed");
        clock.now += turn.time;
        throw new Error("of the task");
      });
    expect(fail).toThrow("of the task");
    await expect(fail()).rejects.toThrow("of the task");
    expect(await a.run(() => 7)).toBe(7);
    expect(order).toEqual(["failed", "failed"]);
  });
});

describe("over sockets", () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  test("one connection that pipelines large answers gets a few of them a turn, and others are answered meanwhile", async () => {
    const { server, ports, service } = await startStreams();
    cleanups.push(() => server.close(100));
    const turnsOf = { current: 0, longest: 0, large: 0 };
    const answer = service.answer.bind(service);
    service.begin = () => {
      turnsOf.current = 0;
    };
    service.answer = (...given) => {
      const written = answer(...given);
      if (written === 60_000) turnsOf.large++;
      turnsOf.longest = Math.max(turnsOf.longest, ++turnsOf.current);
      return written;
    };
    const [greedy, modest] = ["127.0.0.2", "127.0.0.3"].map((localAddress) => {
      const socket = connect({ port: ports.tcp, host: "127.0.0.1", localAddress });
      cleanups.push(() => socket.destroy());
      return socket;
    });
    const all = 1000;
    let received = 0;
    greedy!.on("data", ({ length }: Buffer) => (received += length));
    greedy!.write(Buffer.concat(Array.from({ length: all }, () => framed(query(0, 12, 253)))));
    await expect.poll(() => turnsOf.large, { interval: 1 }).toBeGreaterThan(0);
    for (let n = 0; n < 5; n++) {
      modest!.write(framed(query(n)));
      await once(modest!, "data");
    }
    expect(turnsOf.large).toBeLessThan(all);
    await expect.poll(() => received, { timeout: 15_000 }).toBe(all * 60_002);
    expect(turnsOf.longest).toBe(Math.ceil(turn.octets / 60_000));
  });

  test("twenty /64 networks of one /48 have the turns of one client between them", async () => {
    const { server, ports, service } = await startStreams({ proxies: ["127.0.0.1"] });
    cleanups.push(() => server.close(100));
    const greedy = 0xbad;
    const seen = { inRound: 0, most: 0, all: 0, modest: 0 };
    const answer = service.answer.bind(service);
    service.answer = (...given) => {
      const [, , , { address }] = given;
      if (((address[4]! << 8) | address[5]!) !== greedy) seen.modest++;
      else {
        seen.all++;
        seen.most = Math.max(seen.most, ++seen.inRound);
        const until = performance.now() + 2 * turn.time;
        while (performance.now() < until);
      }
      return answer(...given);
    };
    let isOver = false;
    const nextRoundOf = () => {
      seen.inRound = 0;
      if (!isOver) setImmediate(nextRoundOf);
    };
    cleanups.push(() => (isOver = true));
    const openFrom = async (site: number, subnet: number) => {
      const socket = await openPlain(ports.tcp);
      cleanups.push(() => socket.destroy());
      socket.resume();
      socket.write(proxyHeader([0x20, 1, 0xd, 0xb8, site >> 8, site & 255, 0, subnet, ...Array(7).fill(0), 1]));
      return socket;
    };
    const many = await Promise.all(Array.from({ length: 20 }, (_, subnet) => openFrom(greedy, subnet)));
    const modest = await openFrom(1, 1);
    nextRoundOf();
    for (const socket of many) socket.write(Buffer.concat(Array.from({ length: 20 }, () => framed(query()))));
    for (let n = 1; n <= 5; n++) {
      modest.write(framed(query(n)));
      await expect.poll(() => seen.modest, { interval: 1 }).toBe(n);
    }
    expect(seen.all).toBeLessThan(400);
    await expect.poll(() => seen.all, { timeout: 10_000 }).toBe(400);
    // one that need not wait, and one of the round of those that wait
    expect(seen.most).toBeLessThanOrEqual(4);
  });

  test.each(["tcp", "tls", "https"] as const)(
    "over %s, queries that the service answers last come after others, and all are answered",
    async (transport) => {
      const { server, ports, service } = await startStreams();
      cleanups.push(() => server.close(100));
      const last = 9;
      const order: number[] = [];
      const answer = service.answer.bind(service);
      Object.assign(service, {
        isCrowded: true,
        isLast: (octets: Uint8Array, from: number) => octets[from + 1] === last,
        answer: (...given: Parameters<typeof answer>) => {
          order.push(given[0][given[1] + 1]!);
          return answer(...given);
        },
      });
      const [patient, other] = [await asker(transport, ports[transport]), await asker(transport, ports[transport])];
      for (const { end } of [patient, other]) cleanups.push(end);
      await other.ask(1);
      order.length = 0;
      await Promise.all([last, last, last, last].map((number) => patient.ask(number)).concat(other.ask(2)));
      expect(order).toEqual([2, last, last, last, last]);
    },
  );
});

/** A connection over which queries are sent without waiting for the answers to earlier ones. */
async function asker(transport: "tcp" | "tls" | "https", port: number) {
  if (transport === "https") {
    const session = await openHttp2(port);
    const ask = async (number: number) =>
      (await request(session, { ":path": `/dns-query?dns=${coded(query(number))}` })).body;
    return { ask, end: () => session.destroy() };
  }
  const socket = transport === "tcp" ? await openPlain(port) : await openTls(port);
  const { messages } = follow(socket);
  let sent = 0;
  const ask = async (number: number) => {
    const position = sent++;
    socket.write(framed(query(number)));
    await expect.poll(() => messages().length, { interval: 1 }).toBeGreaterThan(position);
    return messages()[position]!;
  };
  return { ask, end: () => socket.destroy() };
}
