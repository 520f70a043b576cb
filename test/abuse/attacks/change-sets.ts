/** Change sets of empty arrays. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const sending =
  (item: string): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    const body = `[${item.repeat(Math.floor(8_000_000 / item.length))}1]`;
    return repeat(signal, 500, () => client.call("POST", "changesets", body));
  };

export const changeSets: Attack = {
  name: "change-sets",
  what: "8 MB of empty arrays to change sets, twice a second, with a key",
  victim: "api",
  bar: 2,
  attack: sending("[],"),
  // as many octets with few values
  harmless: sending(`"${"x".repeat(100_000)}",`),
};
