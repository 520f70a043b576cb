/** Searches in one's own large zone. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";
import { fillZone } from "./large-zone.ts";

const zone = "searched.example";
const search = "search?q=x1&type=all&max=100";

const searching =
  (path: string): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    return repeat(signal, 1000 / 14, () => client.call("GET", path));
  };

export const searches: Attack = {
  name: "searches",
  what: "14 searches a second for two letters, in a zone of 20,000 records",
  victim: "api",
  bar: 3,
  async prepare(attacker, { share }) {
    await fillZone(attacker, zone, 20_000 * share);
    await attacker.must("GET", search);
  },
  attack: searching(search),
  harmless: searching(`zones/${zone}?records=false`),
};
