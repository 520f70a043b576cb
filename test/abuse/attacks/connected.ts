/** Connections of DNS from four addresses, as many as a worker may have, that ask one after the other. */
import { setTimeout as delay } from "node:timers/promises";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, atOnce, type Load, repeat } from "../attack.ts";
import { framed, open } from "../stream.ts";

const question = framed(queryOf({ name: "www.victim.example", type: "A" }));
const addresses = 4;

/** Each address holds so many connections, which ask 2,000 times a second together. */
const holding =
  (each: number): Load =>
  ({ ports, share }, signal) =>
    atOnce(Math.ceil(each * share) * addresses, async (at) => {
      const pause = (each * addresses) / 2;
      await delay(at / 2, undefined, { signal }).catch(() => {});
      let socket = open(ports.dns, `127.6.${at % addresses}.1`).resume();
      await repeat(signal, pause, async () => {
        if (socket.destroyed) socket = open(ports.dns, `127.6.${at % addresses}.1`).resume();
        socket.write(question);
      });
      socket.destroy();
    });

export const connected: Attack = {
  name: "connected",
  what: "four addresses hold all 1,000 connections of DNS, and ask over each of them",
  victim: "kept",
  bar: 2,
  attack: holding(250),
  harmless: holding(100),
};
