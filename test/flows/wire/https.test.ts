/** Odd requests for DNS over HTTPS to a running service: each gets its status, and DNS keeps answering. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queryOf, summary } from "../../engine/states.ts";
import { processesBelow } from "../../machine/proc.ts";
import { askHttp1, askHttp2, coded, floods, get, heavyFields, httpCases, post } from "../../network/doh.ts";
import { follow, openHttp2, openTls, preface, request } from "../../network/streams.ts";
import { packet } from "../../scenarios/packet.ts";
import { proportionalOctets } from "./memory.ts";
import { type Running, startRunning } from "./running.ts";
import { apex, zone } from "./zone.ts";

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => {
  await running?.assertUnharmed();
  await running?.stop();
});

const soa = queryOf(`${apex} SOA`);

async function assertAnswering(): Promise<void> {
  const { status, body } = await askHttp2(running.ports.doh, post(soa));
  expect([status, summary(body)]).toEqual([200, expect.stringMatching(/^NOERROR \d+$/)]);
}

describe.each([
  ["HTTP/2", askHttp2],
  ["HTTP/1.1", askHttp1],
] as const)("over %s", (_, ask) => {
  test.each(httpCases(soa))("%s", async (_name, asked, status) => {
    const reply = await ask(running.ports.doh, asked);
    expect(reply.status).toBe(status);
    if (status === 200) expect(summary(reply.body)).toMatch(/^NOERROR \d+$/);
    if (status === 405) expect(reply.headers["allow"]).toBe("GET, HEAD, POST");
    await assertAnswering();
  });

  test.each([
    ["NXDOMAIN", queryOf(`nx.${apex} A`), "NXDOMAIN"],
    ["a refusal", queryOf("example.org A"), "REFUSED"],
    ["a malformed query", packet({ counts: [1, 0, 0, 0] }), "FORMERR"],
    ["a transfer that is refused", queryOf(`${apex} AXFR`), "REFUSED"],
  ])("%s has the HTTP status 200", async (_name, query, wanted) => {
    const { status, body } = await ask(running.ports.doh, post(query));
    expect([status, summary(body)]).toEqual([200, wanted]);
    await assertAnswering();
  });

  test.each([
    [`www.${apex} A`, "max-age=300"],
    [`near.${apex} A`, "max-age=60"],
    [`nx.${apex} A`, "max-age=60"],
    ["example.org A", "max-age=0"],
  ])("the answer to %s may be cached for its smallest TTL", async (question, wanted) => {
    const { headers } = await ask(running.ports.doh, post(queryOf(question)));
    expect(headers["cache-control"]).toBe(wanted);
  });

  test("HEAD has the header fields of GET, and no body", async () => {
    const { status, headers, body } = await ask(running.ports.doh, { ...get(`?dns=${coded(soa)}`), method: "HEAD" });
    expect([status, body.length]).toEqual([200, 0]);
    expect(Number(headers["content-length"])).toBeGreaterThan(soa.length);
  });

  test("the client's address is the connection's, regardless of X-Forwarded-For", async () => {
    const fenced = {
      filters: [{ filter: "netfence_prefix", config: { remove_no_ip_prefixes: true } }],
      answers: [{ answer: ["192.0.2.20"], meta: { ip_prefixes: ["127.0.0.0/8"] } }, { answer: ["192.0.2.21"] }],
    };
    const domain = `peer.${zone}`;
    await running.service.api("PUT", `zones/${zone}/${domain}/A`, { zone, domain, type: "A", ...fenced });
    const headers = { ...post(soa).headers, "x-forwarded-for": "192.0.2.7", forwarded: "for=192.0.2.7" };
    const asked = async () => {
      const { body } = await ask(running.ports.doh, { ...post(queryOf(`${domain} A`)), headers });
      return summary(body);
    };
    await expect.poll(asked).toBe("NOERROR 192.0.2.20");
  });
});

describe("excessive requests over HTTP/2", () => {
  test.each(heavyFields)("%s is refused", async (_, headers) => {
    const session = await openHttp2(running.ports.doh);
    const asked = request(session, { ":path": `/dns-query?dns=${coded(soa)}`, ...headers });
    const ended = await asked.catch((error) => error);
    session.destroy();
    expect(ended.status === undefined || ended.status >= 400).toBe(true);
    await assertAnswering();
  });

  test.concurrent.each(floods(soa))(
    "%s end the connection of a client that never stops and never reads",
    async (_, frames) => {
      const edge = processesBelow(running.service.daemon.pid).find(({ line }) => line.at(-1) === "edge")!;
      const before = proportionalOctets(edge.pid);
      const socket = await openTls(running.ports.doh, { ALPNProtocols: ["h2"] });
      const { ended } = follow(socket);
      let isOpen = true;
      void ended.then(() => {
        isOpen = false;
      });
      socket.pause();
      socket.write(preface);
      for (let id = 1; id < 200_000 && isOpen && !socket.destroyed; id += 100) {
        socket.write(Buffer.concat(Array.from({ length: 50 }, (_, at) => frames(id + 2 * at)).flat()));
        await delay(2);
      }
      socket.resume();
      await ended;
      expect(proportionalOctets(edge.pid) - before).toBeLessThan(100_000_000);
      await assertAnswering();
    },
  );
});
