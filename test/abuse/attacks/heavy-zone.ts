/** A chain as long as a record may have, over as many answers, asked more often than one core can run it. */
import { createSocket } from "node:dgram";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zone = "heavy.example";

const flooding =
  (name: string): Load =>
  async ({ ports, share }, signal) => {
    const socket = createSocket("udp4");
    socket.on("error", () => {});
    const query = queryOf({ name, type: "A" });
    const count = Math.ceil(8 * share);
    await repeat(signal, 1, async () => {
      for (let sent = 0; sent < count; sent++) socket.send(query, ports.dns, "127.0.0.1");
    });
    socket.close();
  };

export const heavyZone: Attack = {
  name: "heavy-zone",
  what: "a chain of 64 filters over 100 answers, up to 8,000 queries a second",
  victim: "udp",
  bar: 2,
  async prepare(attacker) {
    await attacker.must("PUT", `zones/${zone}`, { zone });
    const filters = Array.from({ length: 64 }, () => ({ filter: "weighted_shuffle", config: {} }));
    const answers = Array.from({ length: 100 }, (_, n) => ({ answer: [`192.0.2.${n}`], meta: { weight: n } }));
    const domain = `chain.${zone}`;
    await attacker.must("PUT", `zones/${zone}/${domain}/A`, { zone, domain, type: "A", filters, answers });
    const put = [{ domain: `plain.${zone}`, type: "A", answers: [{ answer: ["192.0.2.1"] }] }];
    await attacker.must("POST", `zones/${zone}/records`, { put });
  },
  attack: flooding(`chain.${zone}`),
  harmless: flooding(`plain.${zone}`),
};
