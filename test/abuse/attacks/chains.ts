/** Records with as much metadata as a record may have, asked one after the other. */
import { exchange } from "../../../src/net/client/exchange.ts";
import { queryOf } from "../../scenarios/image.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zone = "chains.example";
const usual = 110;

const asking =
  (name: (number: number) => string): Load =>
  ({ ports, share }, signal) => {
    let number = 0;
    return repeat(signal, 100, () => {
      number = (number + 1) % Math.ceil(usual * share);
      const server = { address: "127.0.0.1", port: ports.dns, transport: "udp", timeout: 2000, attempts: 1 } as const;
      return exchange(server, queryOf({ name: name(number), type: "A" }));
    });
  };

/** A thousand prefixes for each of some answers: about 350 KB. */
const answers = Array.from({ length: 20 }, (_, answer) => ({
  answer: [`192.0.2.${answer}`],
  meta: { ip_prefixes: Array.from({ length: 1000 }, (_, at) => `10.${answer}.${at >> 2}.${(at & 3) * 64}/26`) },
}));

export const chains: Attack = {
  name: "chains",
  what: "110 records with 350 KB of metadata each, ten queries a second",
  victim: "udp",
  bar: 2,
  async prepare(attacker, { share }) {
    await attacker.must("PUT", `zones/${zone}`, { zone });
    const filters = [{ filter: "netfence_prefix", config: {} }];
    for (let number = 0; number < Math.ceil(usual * share); number++) {
      const domain = `r${number}.${zone}`;
      await attacker.must("PUT", `zones/${zone}/${domain}/A`, { zone, domain, type: "A", filters, answers });
    }
    const put = [{ domain: `plain.${zone}`, type: "A", answers: [{ answer: ["192.0.2.1"] }] }];
    await attacker.must("POST", `zones/${zone}/records`, { put });
  },
  attack: asking((number) => `r${number}.${zone}`),
  harmless: asking(() => `plain.${zone}`),
};
