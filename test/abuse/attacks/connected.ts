/** Connections of DNS from four addresses, as many as a worker may have, that ask one after the other. */
import { setTimeout as delay } from "node:timers/promises";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, atOnce, type Load, repeat } from "../attack.ts";
import { framed, open } from "../stream.ts";

const question = framed(queryOf({ name: "www.victim.example", type: "A" }));
const addresses = 4;

/** Each address holds so many connections, and each connection asks every half second. */
const holding =
  (each: number): Load =>
  ({ ports, share }, signal) =>
    atOnce(Math.ceil(each * share) * addresses, async (at) => {
      await delay(at / 2, undefined, { signal }).catch(() => {});
      let socket = open(ports.dns, `127.6.${at % addresses}.1`).resume();
      await repeat(signal, 500, async () => {
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
