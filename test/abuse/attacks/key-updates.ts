/** Updates of one key, each of which waits for its account's turn. */
import { clientOf } from "../../service/client.ts";
import { type Attack, atOnce, type Load, repeat } from "../attack.ts";

const updating =
  (count: number): Load =>
  async ({ url, key }, signal) => {
    const client = clientOf(url, key);
    const keys = await client.must<{ id: string; name: string }[]>("GET", "account/apikeys");
    const { id } = keys.find(({ name }) => name === "abuse")!;
    const update = (at: number) => client.call("POST", `account/apikeys/${id}`, { name: "abuse", teams: [], at });
    await atOnce(count, (at) => repeat(signal, count, () => update(at)));
  };

export const keyUpdates: Attack = {
  name: "key-updates",
  what: "200 updates of a key at once",
  victim: "api",
  bar: 3,
  async prepare(attacker) {
    await attacker.must("PUT", "account/apikeys", { name: "abuse" });
  },
  attack: updating(200),
  harmless: updating(2),
};
