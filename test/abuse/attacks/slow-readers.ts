/** Slow transfers of a large zone. */
import { setTimeout as delay } from "node:timers/promises";
import { type Attack, atOnce, type Load } from "../attack.ts";
import { open, readSlowly } from "../stream.ts";
import { fillZone } from "./large-zone.ts";

const zone = "slow.example";

const reading =
  (speed: number): Load =>
  async ({ ports }, signal) => {
    await atOnce(10, async (at) => {
      while (!signal.aborted) {
        await readSlowly(open(ports.dns, `127.0.0.${2 + (at % 2)}`), zone, speed, signal);
        await delay(100);
      }
    });
  };

export const slowReaders: Attack = {
  name: "slow-readers",
  what: "ten readers from two addresses transfer a large zone, slowly",
  victim: "transfers",
  bar: 2,
  async prepare(attacker, { share }) {
    const secondaries = ["127.0.0.2", "127.0.0.3"].map((ip) => ({ ip, port: 53 }));
    await fillZone(attacker, zone, 20_000 * share, { primary: { enabled: true, secondaries } });
  },
  attack: reading(80_000),
  // as many readers, each of which reads at once
  harmless: reading(8_000_000),
};
