import { createSocket } from "node:dgram";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { ask, baselineOf, changeSet, queryOf, recordState, zoneState } from "../../../test/engine/states.ts";
import { startWorkers } from "../../../test/network/workers.ts";
import type { ImageShare } from "../../answer/image/memory/share.ts";
import { counted } from "./counters.ts";

const zone = zoneState("example.com");
const record = (label: string, address = "192.0.2.1") => recordState(zone, `${label}.example.com`, "A", [address]);
const put = (label: string, address?: string) => ({ kind: "record", record: record(label, address) }) as const;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const start = (udp: "batched" | "portable", count = 1) =>
  startWorkers({ udp, count, baseline: baselineOf([zone], [record("www")]), cleanups });

describe.each(["batched", "portable"] as const)("workers with %s UDP", (udp) => {
  test("answer over UDP and TCP, and count queries and answers", async () => {
    const { workers, server } = await start(udp);
    expect(await ask(server, "www.example.com A")).toBe("NOERROR 192.0.2.1");
    expect(await ask({ ...server, transport: "tcp" }, "nx.example.com A")).toBe("NXDOMAIN");
    const [datagrams, streams] = workers.slots.map(({ counts }) => counts);
    expect([datagrams![counted.queries], datagrams![counted.rcodes]]).toEqual([1, 1]);
    expect([streams![counted.queries], streams![counted.rcodes + 3]]).toEqual([1, 1]);
  });

  test("answer with all changes applied before the query, over UDP and TCP", async () => {
    const { state, server } = await start(udp, 2);
    for (let revision = 2; revision < 60; revision++) {
      const address = `192.0.2.${revision}`;
      state.apply([changeSet(revision, [put("www", address)], { [zone.id]: revision })]);
      const transport = revision % 2 ? "udp" : "tcp";
      expect(await ask({ ...server, transport }, "www.example.com A")).toBe(`NOERROR ${address}`);
    }
  });

  test("keep up with an image that grows while they answer", async () => {
    const { state, server } = await start(udp, 2);
    const load = createSocket("udp4");
    cleanups.push(() => load.close());
    const timer = setInterval(() => {
      for (let count = 0; count < 20; count++)
        load.send(queryOf(`n${count}.example.com A`), server.port, server.address);
    }, 1);
    cleanups.push(() => clearInterval(timer));
    for (let revision = 2; revision < 22; revision++) {
      const first = revision * 1000;
      const changes = Array.from({ length: 1000 }, (_, number) => put(`n${first + number}`, "192.0.2.7"));
      state.apply([changeSet(revision, changes, { [zone.id]: revision })]);
      expect(await ask(server, `n${first + 999}.example.com A`)).toBe("NOERROR 192.0.2.7");
      expect(await ask({ ...server, transport: "tcp" }, `n${first}.example.com A`)).toBe("NOERROR 192.0.2.7");
    }
  });

  test("switch to another image", async () => {
    const { state, server } = await start(udp, 2);
    await state.start(baselineOf([zoneState("example.org")], []));
    for (const transport of ["udp", "tcp"] as const) {
      expect(await ask({ ...server, transport }, "www.example.com A")).toBe("REFUSED");
      expect(await ask({ ...server, transport }, "example.org SOA")).toBe("NOERROR 1");
    }
  });

  test("are replaced when they die", async () => {
    const { workers, server } = await start(udp);
    // a worker ends when it is sent an image that it cannot read
    workers.send({ kind: "image", share: { ...brokenShare } });
    for (const transport of ["udp", "tcp"] as const) {
      await expect
        .poll(() => ask({ ...server, transport, timeout: 200 }, "www.example.com A").catch(String), {
          timeout: 60_000,
        })
        .toBe("NOERROR 192.0.2.1");
    }
    expect(workers.slots.map(({ restarts }) => restarts)).toEqual([1, 1]);
  });

  test("are replaced when they spin", async () => {
    const { state, workers, server } = await start(udp);
    const slots = new Int32Array(state.share()!.zones.slots);
    const before = slots.slice();
    // a table in which no search ends
    for (let slot = 0; slot < slots.length; slot += 2) slots.set([0x55555555, -1], slot);
    // long enough for the check for spinning workers to pause
    await delay(500);
    await expect(ask({ ...server, timeout: 300, attempts: 1 }, "www.example.com A")).rejects.toThrow("in time");
    await expect.poll(() => workers.slots[0]!.restarts).toBe(1);
    slots.set(before);
    await expect
      .poll(() => ask({ ...server, timeout: 200 }, "www.example.com A").catch(String))
      .toBe("NOERROR 192.0.2.1");
  });

  test("stop under load", async () => {
    const { workers, server } = await start(udp, 2);
    const load = createSocket("udp4");
    cleanups.push(() => load.close());
    const timer = setInterval(() => {
      for (let count = 0; count < 50; count++) load.send(queryOf("www.example.com A"), server.port, server.address);
    }, 1);
    cleanups.push(() => clearInterval(timer));
    await workers.stop();
    expect(workers.slots.map(({ isUp }) => isUp)).toEqual([false, false, false]);
  });
});

const brokenShare: ImageShare = {
  header: new SharedArrayBuffer(4096),
  nodes: { number: 0, slots: new SharedArrayBuffer(8) },
  zones: { number: 0, slots: new SharedArrayBuffer(8) },
  segments: [],
};
