/** Bodies whose last octet never comes. */
import { connect } from "node:net";
import { type Attack, atOnce, elsewhere, type Load, orAborted, repeat } from "../attack.ts";

const octets = 2 * 1024 * 1024;

const withholding: Load = ({ ports, key, share }, signal) =>
  atOnce(Math.ceil(1000 * share), () =>
    repeat(signal, 10_000, async () => {
      const socket = connect(ports.http, "127.0.0.1");
      const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()).on("error", () => {}));
      const head = `POST /v1/zones/attacker.example HTTP/1.1\r\nHost: x\r\nX-NSONE-Key: ${key}\r\nContent-Length: ${octets}\r\n\r\n`;
      socket.write(head);
      socket.write(Buffer.alloc(octets - 1, 0x20));
      await orAborted(closed, signal, () => socket.destroy());
    }),
  );

export const lastOctet: Attack = {
  name: "last-octet",
  what: "1,000 connections that withhold the last octet of 2 MiB",
  victim: "api",
  bar: 2,
  attack: withholding,
  harmless: elsewhere("http", "silent", withholding),
};
