/** One address opens all connections to the API. */
import { connect } from "node:net";
import { type Attack, atOnce, type Load, orAborted, repeat } from "../attack.ts";

const opening =
  (isHeld: boolean): Load =>
  ({ ports, share }, signal) =>
    atOnce(Math.ceil(5000 * share), () =>
      repeat(signal, 1000, async () => {
        const socket = connect(ports.http, "127.0.0.1");
        const closed = new Promise<void>((resolve) => socket.on("close", () => resolve()).on("error", () => {}));
        socket.on("connect", () => {
          if (!isHeld) socket.destroy();
        });
        await orAborted(closed, signal, () => socket.destroy());
      }),
    );

export const connections: Attack = {
  name: "connections",
  what: "one address opens all 5,000 connections, and sends nothing",
  victim: "connections",
  bar: 2,
  attack: opening(true),
  harmless: opening(false),
};
