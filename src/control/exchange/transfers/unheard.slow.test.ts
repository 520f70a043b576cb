/** Primaries that speak no DNS: neither the error nor the time until it tells a closed port from an open one. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../../../../test/machine/processes.ts";
import { answerTo, scriptedPrimary, soa } from "../../../../test/network/scripted-primary.ts";
import { type Fields, startApi } from "../../../../test/service/api.ts";
import { patience } from "../../../../test/service/secondary-zones.ts";

const message = 1000;
const api = await startApi({ pullLimits: { message, transfer: 20_000 } });

/** A port that is open over TCP, and over UDP without answers. */
async function openPort(connected: (socket: Socket) => void): Promise<number> {
  const port = await freePort();
  const tcp = createServer((socket) => {
    socket.on("error", () => {});
    connected(socket);
  });
  const udp = createSocket("udp4");
  await Promise.all([once(tcp.listen(port, "127.0.0.1"), "listening"), once(udp.bind(port, "127.0.0.1"), "listening")]);
  afterAll(() => {
    tcp.close();
    udp.close();
  });
  return port;
}

const servers: Readonly<Record<string, () => Promise<number>>> = {
  "a closed port": freePort,
  "a silent port": () => openPort(() => {}),
  "a port that closes each connection": () => openPort((socket) => socket.destroy()),
  "a service that speaks first": () => openPort((socket) => socket.write("SSH-2.0-OpenSSH_9.2\r\n")),
  "a service that answers with something else": () =>
    openPort((socket) => socket.on("data", () => socket.end("\0\x20HTTP/1.1 400 Bad Request\r\n\r\n."))),
};

interface Outcome {
  readonly error: string;
  /** Milliseconds until the error was shown, and until the next server was asked. */
  readonly shownAfter: number;
  readonly nextAfter: number;
}

async function outcomeOf(zone: string, port: number, tls: Fields | undefined): Promise<Outcome> {
  let nextAfter = Number.NaN;
  const began = performance.now();
  const next = await scriptedPrimary({
    soa: soa(`${zone}.`, 1),
    udp(query) {
      if (Number.isNaN(nextAfter)) nextAfter = performance.now() - began;
      return answerTo(query, [], { rcode: 5 });
    },
    transfer: () => undefined,
  });
  const others = tls ? {} : { other_ips: ["127.0.0.1"], other_ports: [next.port] };
  const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: port, ...others, ...(tls ? { tls } : {}) };
  await api.must("PUT", `zones/${zone}`, { secondary });
  let error: unknown = null;
  for (const until = began + patience.timeout; error === null && performance.now() < until; ) {
    error = (await api.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary["error"];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const shown = String(error).replaceAll(`port ${port}`, "port X").replaceAll(`port ${next.port}`, "port Y");
  return { error: shown, shownAfter: performance.now() - began, nextAfter };
}

for (const [kind, tls] of [
  ["over UDP and TCP", undefined],
  ["over TLS", { enabled: true, profile: "opportunistic" }],
] as const) {
  test(`${kind}, all of them look the same`, async () => {
    const outcomes: Outcome[] = [];
    for (const [i, port] of Object.values(servers).entries()) {
      outcomes.push(await outcomeOf(`z${i}.${tls ? "tls" : "plain"}.example`, await port(), tls));
    }
    const [first] = outcomes;
    expect(first!.error).toMatch(/^127\.0\.0\.1 port X: no valid DNS answer came/);
    expect(outcomes.map(({ error }) => error)).toEqual(outcomes.map(() => first!.error));
    const within = (times: readonly number[]) => Math.max(...times) / Math.min(...times);
    expect(within(outcomes.map(({ shownAfter }) => shownAfter))).toBeLessThan(1.5);
    if (!tls) expect(within(outcomes.map(({ nextAfter }) => nextAfter))).toBeLessThan(1.5);
  });
}
