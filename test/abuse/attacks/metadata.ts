/** Pushes of keys that no record names. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

let source = "";

const pushing =
  (keys: number): Load =>
  async ({ url, key }, signal) => {
    const client = clientOf(url, key);
    const [made] = await client.must<{ id: string; name: string }[]>("GET", "data/sources");
    source = made!.id;
    let number = 0;
    await repeat(signal, 100, () => {
      number++;
      const values = Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${number}-${at}`, at]));
      return client.call("POST", `feed/${source}`, { pushed: values });
    });
  };

export const metadata: Attack = {
  name: "metadata",
  what: "ten pushes a second with 5,000 keys that no record names",
  victim: "api",
  bar: 3,
  async prepare(attacker) {
    const { id } = await attacker.must<{ id: string }>("PUT", "data/sources", {
      name: "abuse",
      sourcetype: "nsone_v1",
      config: {},
    });
    await attacker.must("PUT", `data/feeds/${id}`, { name: "pushed", config: { label: "pushed" } });
  },
  attack: pushing(5000),
  harmless: pushing(5),
};
