/** Simulations without a pause: many draws, the matrix of countries, and drafts as large as they may be. */
import { clientOf } from "../../service/client.ts";
import { type Attack, atOnce, repeat } from "../attack.ts";

const zone = "simulations.example";
const domain = `www.${zone}`;
const chain = [
  { filter: "netfence_prefix", config: {} },
  { filter: "weighted_shuffle", config: {} },
];
const answers = (count: number, listed: number) =>
  Array.from({ length: count }, (_, answer) => ({
    answer: [`192.0.2.${answer}`],
    meta: {
      weight: answer + 1,
      ip_prefixes: Array.from({ length: listed }, (_, at) => `10.${answer}.${at >> 2}.${(at & 3) * 64}/26`),
    },
  }));
const record = { zone, domain, type: "A", filters: chain };

/** The largest draft is about 950 KB. */
const bodies = (share: number): readonly object[] => [
  { draws: Math.ceil(100_000 * share) },
  { draws: Math.ceil(100 * share), matrix: true },
  { records: [{ action: "put", ...record, answers: answers(50, Math.ceil(900 * share)) }] },
  { records: [{ action: "put", ...record, answers: answers(3, 3) }], feeds: {} },
];

export const simulations: Attack = {
  name: "simulations",
  what: "eight editors that simulate without a pause, with 100,000 draws, every country or a draft of 950 KB",
  victim: "reads",
  bar: 1.5,
  async prepare(attacker, { share }) {
    await attacker.must("PUT", `zones/${zone}`, { zone });
    await attacker.must("PUT", `zones/${zone}/${domain}/A`, { ...record, answers: answers(3, 3) });
    for (const body of bodies(share)) await attacker.must("POST", "explain", { name: domain, ...body, draws: 1 });
  },
  attack({ url, key, share }, signal) {
    const client = clientOf(url, key);
    const sent = bodies(share).map((body) => JSON.stringify({ name: domain, ...body }));
    return atOnce(8, (at) => {
      const text = `${sent[at % sent.length]!.slice(0, -1)},"editor":"e${at}"}`;
      return repeat(signal, 0, () => client.call("POST", "explain", text));
    });
  },
  harmless({ url, key }, signal) {
    const client = clientOf(url, key);
    return atOnce(8, () => repeat(signal, 100, () => client.call("GET", `zones/${zone}/${domain}/A`)));
  },
};
