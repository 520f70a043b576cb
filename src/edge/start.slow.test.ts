import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { ask, queryOf, summary } from "../../test/engine/states.ts";
import { startEdgeAt } from "../../test/service/edge.ts";
import { silent, testStore } from "../../test/store/store.ts";
import { insertAccount, insertZone, putRecord, type ZoneKey } from "../../test/store/writes.ts";
import { systemClock } from "../lib/clock.ts";
import { exchange } from "../net/client/exchange.ts";
import { closeFd, localAddress, openTcp, openUdp } from "../net/socket/sockets.ts";
import { Sequencer } from "../storage/sequencer/sequencer.ts";
import { postgresSite } from "../sync/postgres/site.ts";
import type { EdgeOptions } from "./edge.ts";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const store = await testStore();
const account = await insertAccount(store);

async function start(options: Partial<EdgeOptions> = {}) {
  const edge = await startEdgeAt(store.url, options);
  cleanups.push(() => edge.close());
  return { edge, server: { ...edge.addresses[0]!, timeout: 3000 } };
}

function sequence() {
  const sequencer = new Sequencer(store, { log: silent, clock: systemClock });
  cleanups.push(() => sequencer.close());
}

const put = (zone: ZoneKey, label: string, address: string) => putRecord(store, zone, { label, address });

test("an edge answers the store's records, and changes soon after they are made", async () => {
  sequence();
  const zone = await insertZone(store, account, "one.example");
  await put(zone, "www", "192.0.2.1");
  const { edge, server } = await start();
  await edge.ready;
  await expect.poll(() => ask(server, "www.one.example A")).toBe("NOERROR 192.0.2.1");
  await put(zone, "www", "192.0.2.2");
  await expect.poll(() => ask(server, "www.one.example A")).toBe("NOERROR 192.0.2.2");
  expect(await ask({ ...server, transport: "tcp" }, "www.one.example A")).toBe("NOERROR 192.0.2.2");
  expect(edge.status()).toMatchObject({ ready: true, behind: 0, zones: 1 });
  expect(edge.status().revision).toBeGreaterThan(2);
});

test("queries that come before the first baseline wait for it", async () => {
  sequence();
  const { edge, server } = await start({ udp: "batched" });
  const early = exchange({ ...server, transport: "udp", attempts: 1 }, queryOf("nowhere.example A"));
  expect(edge.status().ready).toBe(false);
  expect(summary(await early)).toBe("REFUSED");
  await edge.ready;
  expect(edge.status().ready).toBe(true);
});

/** Opens UDP and TCP sockets on one port: tries ports that the system chooses for UDP, until one is free for TCP. */
function openBoth(): { port: number; udpFd: number; tcpFd: number } {
  for (;;) {
    const udpFd = openUdp("127.0.0.1", 0);
    const { port } = localAddress(udpFd);
    try {
      return { port, udpFd, tcpFd: openTcp("127.0.0.1", port) };
    } catch {
      closeFd(udpFd);
    }
  }
}

test("an edge takes over the sockets of another edge, with the waiting queries", async () => {
  const { port, udpFd, tcpFd } = openBoth();
  cleanups.push(() => [udpFd, tcpFd].map(closeFd));
  const listen = [{ address: "127.0.0.1", port, udpFds: [udpFd], tcpFd }];
  const first = await start({ listen, udp: "batched" });
  await first.edge.ready;
  await first.edge.close();
  const waiting = (["udp", "tcp"] as const).map((transport) =>
    exchange({ ...first.server, transport, attempts: 1 }, queryOf("nowhere.example A")),
  );
  const second = await start({ listen, udp: "batched" });
  expect((await Promise.all(waiting)).map(summary)).toEqual(["REFUSED", "REFUSED"]);
  await second.edge.ready;
});

test("an edge that takes over answers once it has reached the revisions of the other edge", async () => {
  sequence();
  const zone = await insertZone(store, account, "taken.example");
  const first = await start();
  await first.edge.ready;
  await expect.poll(() => ask(first.server, "taken.example SOA")).toContain("NOERROR");
  const known = await first.edge.writeSnapshot();
  expect(known).toEqual({ revision: first.edge.status().revision, live: 0 });
  const second = await start({ takesOver: { ...known, revision: known.revision + 1 } });
  const early = ask({ ...second.server, timeout: 60_000 }, "www.taken.example A");
  // the second edge has applied all changes so far, but `takesOver` names a later revision
  await expect.poll(() => second.edge.status().revision).toBe(known.revision);
  expect(second.edge.status().ready).toBe(false);
  await put(zone, "www", "192.0.2.9");
  expect(await early).toBe("NOERROR 192.0.2.9");
  await first.edge.retire();
});

test("metrics count queries and answers", async () => {
  sequence();
  const { edge, server } = await start();
  await edge.ready;
  await ask(server, "nowhere.example A");
  await ask({ ...server, transport: "tcp" }, "nowhere.example A");
  const metrics = await edge.metrics();
  expect(metrics).toContain('fairlead_dns_queries_total{transport="udp"} 1\n');
  expect(metrics).toContain('fairlead_dns_answers_total{transport="udp",rcode="REFUSED"} 1\n');
  expect(metrics).toContain('fairlead_dns_answers_total{transport="tcp",rcode="REFUSED"} 1\n');
  expect(metrics).toContain("fairlead_udp_datagrams_total 1\n");
  expect(metrics).toContain("fairlead_edge_worker_restarts_total 0\n");
  expect(metrics).toMatch(/^fairlead_edge_revision \d+$/m);
  expect(metrics).toContain('fairlead_edge_worker_up{worker="0",kind="udp"} 1\n');
  expect(metrics).toContain('fairlead_dns_questions_total{type="A"} 2\n');
  expect(metrics).toContain('fairlead_cache_asked_total{cache="chains"} 0\n');
  expect(metrics).toMatch(/^fairlead_dns_answer_seconds_bucket\{le="\+Inf"\} 0$/m);
});

test("queries and their answers are logged", async () => {
  sequence();
  const directory = mkdtempSync(join(tmpdir(), "fairlead-query-log-"));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "log");
  const target = { kind: "file", path } as const;
  const { edge, server } = await start({ queryLog: { target, sample: 1, identity: "edge", version: "1" } });
  await edge.ready;
  for (const transport of ["udp", "tcp"] as const) await ask({ ...server, transport }, "nowhere.example A");
  await expect.poll(() => edge.metrics()).toContain("fairlead_query_log_written_total 2\n");
  const questions = () => readFileSync(path, "latin1").split("\x07nowhere\x07example").length - 1;
  await expect.poll(questions).toBe(2 * 2);
});

test("an edge listens on several addresses", async () => {
  sequence();
  const { edge } = await start({
    listen: [
      { address: "127.0.0.1", port: 0 },
      { address: "::1", port: 0 },
    ],
  });
  await edge.ready;
  for (const server of edge.addresses) {
    for (const transport of ["udp", "tcp"] as const) {
      expect(await ask({ ...server, transport }, "nowhere.example A")).toBe("REFUSED");
    }
  }
});

test("the error for a port in use names the address and the port", async () => {
  const fd = openTcp("127.0.0.1", 0);
  cleanups.push(() => closeFd(fd));
  const { port } = localAddress(fd);
  for (const udp of ["batched", "portable"] as const) {
    await expect(start({ listen: [{ address: "127.0.0.1", port }], udp })).rejects.toThrow(
      `127.0.0.1:${port} (TCP) is in use by another process`,
    );
  }
});

test("an edge closes within two seconds, even without its store", async () => {
  const { edge } = await start({ site: postgresSite("postgres://127.0.0.1:1/none") });
  const refused = expect(edge.ready).rejects.toThrow();
  const began = performance.now();
  await edge.close();
  await refused;
  expect(performance.now() - began).toBeLessThan(2000);
});
