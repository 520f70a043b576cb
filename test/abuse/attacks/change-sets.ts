/** Change sets of empty arrays. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const sending =
  (item: string): Load =>
  ({ url, key }, signal) => {
    const client = clientOf(url, key);
    const body = bodyOf(item);
    return repeat(signal, 500, () => client.call("PUT", "changesets", body));
  };

const bodyOf = (item: string) => `[${item.repeat(Math.floor(8_000_000 / item.length))}1]`;

export const changeSets: Attack = {
  name: "change-sets",
  what: "8 MB of empty arrays to change sets, twice a second, with a key",
  victim: "api",
  bar: 2,
  async prepare(attacker) {
    const { status, text } = await attacker.call("PUT", "changesets", bodyOf("[],"));
    if (status !== 400 || !text.includes("values")) throw new Error(`not refused for its values: ${status} ${text}`);
  },
  attack: sending("[],"),
  // as many octets with few values
  harmless: sending(`"${"x".repeat(100_000)}",`),
};
