/** Writes of a record with as much metadata as a record may have. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zone = "large-records.example";
const domain = `r.${zone}`;
const filters = ["netfence_prefix", "netfence_asn"].map((filter) => ({ filter, config: {} }));

/** So many prefixes and AS numbers in each of so many answers, which differ from round to round. */
const recordOf = (answers: number, listed: number, round: number) => ({
  filters,
  answers: Array.from({ length: answers }, (_, answer) => ({
    answer: [`192.0.${round}.${answer}`],
    meta: {
      ip_prefixes: Array.from({ length: listed }, (_, at) => `${100 + answer}.${100 + (at >> 8)}.${at & 255}.128/25`),
      asn: Array.from({ length: listed }, (_, at) => 4_200_000_000 + answer * 1000 + at),
    },
  })),
});

/** Writes so many octets a second in records with so many answers each. */
const writing =
  (answers: number): Load =>
  ({ url, key, share }, signal) => {
    const client = clientOf(url, key);
    const bodies = [0, 1].map((round) => JSON.stringify(recordOf(answers, Math.ceil(1000 * share), round)));
    let number = 0;
    return repeat(signal, 5 * answers, () => client.call("POST", `zones/${zone}/${domain}/A`, bodies[number++ % 2]));
  };

export const largeRecords: Attack = {
  name: "large-records",
  what: "two writes a second of a record with 3 MB of metadata, against 200 a second of 30 KB",
  victim: "api",
  bar: 3,
  async prepare(client, { share }) {
    await client.must("PUT", `zones/${zone}`, { zone });
    await client.must("PUT", `zones/${zone}/${domain}/A`, recordOf(100, Math.ceil(1000 * share), 2));
  },
  attack: writing(100),
  harmless: writing(1),
};
