/** Input over TLS that costs a stranger little and the worker much. */
import { once } from "node:events";
import { openTls } from "../../network/streams.ts";
import { type Attack, type Load, orAborted, repeat } from "../attack.ts";
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

export const tlsWork: readonly Attack[] = [
  {
    name: "http1-bursts",
    what: "one connection sends 2,400 requests of HTTP/1.1 in one write, again and again",
    victim: "tcp",
    bar: 3,
    attack: bursting(2400),
    harmless: bursting(2),
  },
];
