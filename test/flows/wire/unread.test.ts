/** Clients that request a lot and stop reading are bounded and closed; a zone deleted meanwhile is sent whole. */
import type { Socket } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ask, queryOf, summary } from "../../engine/states.ts";
import { processesBelow } from "../../machine/proc.ts";
import { follow, framed, openPlain, openTls } from "../../network/streams.ts";
import { proportionalOctets } from "./memory.ts";
import { metric } from "./metrics.ts";
import { type Running, startRunning } from "./running.ts";
import { apex } from "./zone.ts";

const zone = "whole.lab";
/** More than the buffers of sockets hold. */
const records = 9000;
const atOnce = 1500;
const text = "x".repeat(250);
const answer = Array.from({ length: 4 }, () => text);

let running: Running;

beforeAll(async () => {
  running = await startRunning();
  await fill();
});

afterAll(async () => {
  await running?.assertUnharmed();
  await running?.stop();
});

/** Creates the zone that is transferred. */
async function fill(): Promise<void> {
  const { service, ports } = running;
  await service.zone(zone, { primary: { enabled: true, secondaries: [{ ip: "127.0.0.1" }] } });
  for (let from = 0; from < records; from += atOnce) {
    const put = Array.from({ length: atOnce }, (_, n) => ({
      domain: `n${from + n}.${zone}`,
      type: "TXT",
      answers: [{ answer }],
    }));
    const { status, body } = await service.api("POST", `zones/${zone}/records`, { put });
    if (status !== 200) throw new Error(JSON.stringify(body));
  }
  const server = { address: "127.0.0.1", port: ports.dns, transport: "tcp" } as const;
  const isThere = async () => expect(await ask(server, `n${records - 1}.${zone} TXT`)).toMatch(/^NOERROR/);
  await vi.waitFor(isThere, { timeout: 60_000, interval: 100 });
}

const edgeOctets = () =>
  proportionalOctets(processesBelow(running.service.daemon.pid).find(({ line }) => line.at(-1) === "edge")!.pid);

async function assertAnswering(): Promise<void> {
  for (const transport of ["tcp", "udp"] as const) {
    const server = { address: "127.0.0.1", port: running.ports.dns, transport };
    expect(await ask(server, `${apex} SOA`)).toMatch(/^NOERROR \d+$/);
  }
}

const openers = {
  TCP: () => openPlain(running.ports.dns),
  TLS: () => openTls(running.ports.dot),
} as const;

/** The memory that four such clients may take: a mebibyte waiting for each, plus TLS and the reader of the zone. */
const most = 100 << 20;

test("clients that stop reading, after 10,000 queries or during a transfer, are disconnected and cost little memory", async () => {
  const connections = () => metric(`${running.service.operator}/metrics`, "fairlead_tcp_connections");
  await expect.poll(connections).toBe(0);
  const before = edgeOctets();
  const asked = [
    Buffer.concat(Array.from({ length: 10_000 }, () => framed(queryOf(`huge.${apex} A`)))),
    framed(queryOf(`${zone} AXFR`)),
  ];
  const sockets: Socket[] = [];
  for (const open of Object.values(openers)) {
    for (const queries of asked) {
      const socket = await open();
      socket.pause();
      socket.write(queries);
      sockets.push(socket);
    }
  }
  await assertAnswering();
  let highest = 0;
  const areClosed = async () => {
    highest = Math.max(highest, edgeOctets());
    return (await connections()) === 0;
  };
  await expect.poll(areClosed, { timeout: 60_000, interval: 200 }).toBe(true);
  expect(highest - before).toBeLessThan(most);
  for (const socket of sockets) socket.destroy();
  await assertAnswering();
});

test("a zone that is deleted during its transfer is sent complete", async () => {
  const socket = await openPlain(running.ports.dns);
  const { messages, ended } = follow(socket);
  socket.write(framed(queryOf(`${zone} AXFR`)));
  await expect.poll(() => messages().length).toBeGreaterThan(0);
  socket.pause();
  await running.service.put(zone, `late.${zone} TXT`, [text]);
  expect((await running.service.api("DELETE", `zones/${zone}`)).status).toBe(200);
  const server = { address: "127.0.0.1", port: running.ports.dns };
  await expect.poll(() => ask(server, `${zone} SOA`)).toBe("REFUSED");
  socket.resume();
  await ended;
  const texts = messages().map(summary).join(" ").split(text).length - 1;
  expect(texts).toBe(answer.length * records);
  await assertAnswering();
});
