/** Input over TLS that costs a stranger little and the worker much. */
import { once } from "node:events";
import { coded } from "../../network/doh.ts";
import { openHttp2, openTls, request } from "../../network/streams.ts";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, atOnce, elsewhere, type Load, orAborted, repeat } from "../attack.ts";
import { open } from "../stream.ts";

const attacker = "127.0.0.2";

/** Sends so many requests of HTTP/1.1 in one write, again and again, also over further connections. */
const bursting =
  (requests: number): Load =>
  ({ ports: { doh } }, signal) =>
    repeat(signal, 100, async () => {
      const socket = await openTls(doh, { socket: open(doh, attacker), ALPNProtocols: ["http/1.1"] });
      const closed = once(socket, "close");
      const burst = "GET / HTTP/1.1\r\nhost:a\r\n\r\n".repeat(requests);
      let answers = 0;
      socket.on("data", (octets: Buffer) => {
        answers += octets.toString("latin1").split("HTTP/1.1 404").length - 1;
        if (answers < requests) return;
        answers = 0;
        socket.write(burst);
      });
      socket.write(burst);
      await orAborted(closed, signal, () => socket.destroy());
    });

/** Begins so many handshakes at the same time, from as many addresses. */
const shaking =
  (handshakes: number): Load =>
  ({ ports: { dot } }, signal) =>
    atOnce(handshakes, (at) =>
      repeat(signal, 100, async () => {
        const socket = open(dot, `127.0.1.${at + 1}`);
        try {
          await openTls(dot, { socket });
        } finally {
          socket.destroy();
        }
      }),
    );

/** Sends as many requests as a connection may have at the same moment, once a second on each connection. */
const asking =
  (connections: number): Load =>
  ({ ports: { doh } }, signal) => {
    const path = `/dns-query?dns=${coded(queryOf({ name: "none.example", type: "A" }))}`;
    return atOnce(connections, () =>
      repeat(signal, 1000, async () => {
        const session = await openHttp2(doh, open(doh, attacker));
        const ask = () => atOnce(30, () => request(session, { ":path": path }));
        await orAborted(
          repeat(signal, 1000, () => (session.destroyed ? Promise.resolve() : ask())),
          signal,
          () => session.destroy(),
        );
      }),
    );
  };

export const tlsWork: readonly Attack[] = [
  {
    name: "http1-bursts",
    what: "one connection sends 2,400 requests of HTTP/1.1 in one write, again and again",
    victim: "tcp",
    bar: 3,
    attack: bursting(2400),
    harmless: bursting(2),
  },
  {
    name: "handshakes",
    what: "200 addresses do handshakes at the same time, again and again",
    victim: "tcp",
    bar: 3,
    attack: shaking(200),
    harmless: elsewhere("dot", "tls", shaking(200)),
  },
  {
    name: "http2-bursts",
    what: "40 connections of one address send 30 requests at the same moment, every second",
    victim: "tcp",
    bar: 3,
    attack: asking(40),
    harmless: asking(1),
  },
];
