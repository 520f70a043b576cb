/** One connection that pipelines queries for large answers. */
import { queryOf } from "../../scenarios/image.ts";
import type { Attack, Load } from "../attack.ts";
import { framed, open } from "../stream.ts";

const zone = "large.example";

const asking =
  (name: string): Load =>
  ({ dns }, signal) =>
    new Promise((resolve) => {
      const socket = open(dns, "127.0.0.2");
      const batch = Buffer.concat(Array.from({ length: 500 }, () => framed(queryOf({ name, type: "TXT" }))));
      const send = () => {
        while (!signal.aborted && !socket.destroyed && socket.write(batch));
      };
      socket
        .resume()
        .on("connect", send)
        .on("drain", send)
        .on("close", () => resolve());
      signal.addEventListener("abort", () => socket.destroy());
    });

export const pipelining: Attack = {
  name: "pipelining",
  what: "one connection pipelines answers of 58 KB",
  victim: "tcp",
  bar: 3,
  async prepare(attacker) {
    await attacker.must("PUT", `zones/${zone}`, { zone });
    const texts = Array.from({ length: 100 }, (_, at) => ({
      answer: [`${at} ${"x".repeat(250)}`, "y".repeat(250), "z".repeat(60)],
    }));
    const put = [
      { domain: `large.${zone}`, type: "TXT", answers: texts },
      { domain: `small.${zone}`, type: "TXT", answers: [{ answer: ["small"] }] },
    ];
    await attacker.must("POST", `zones/${zone}/records`, { put });
  },
  attack: asking(`large.${zone}`),
  harmless: asking(`small.${zone}`),
};
