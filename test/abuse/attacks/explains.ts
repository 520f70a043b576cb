/** Explains of one's own large zone. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";
import { fillZone } from "./large-zone.ts";

const zone = "explained.example";

const explaining =
  (name: (number: number) => string): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    let number = 0;
    return repeat(signal, 1000 / 19, () => client.call("POST", "explain", { name: name(number++), type: "A" }));
  };

export const explains: Attack = {
  name: "explains",
  what: "19 explains a second of names that a zone of 20,000 records has not",
  victim: "api",
  bar: 3,
  async prepare(attacker, { share }) {
    await fillZone(attacker, zone, 20_000 * share);
    await attacker.must("POST", "explain", { name: `none.${zone}`, type: "A" });
  },
  attack: explaining((number) => `none${number}.${zone}`),
  harmless: explaining(() => `h0-0.${zone}`),
};
