/** Pushes of keys that no record names. */
import { clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const most = 5000;
let source = "";

/** Values of keys that are new in each push, in as few octets as possible: a feed has at most 64 KiB. */
function valuesOf(keys: number, number: number): Readonly<Record<string, number>> {
  const digits = (count: number, length: number) => count.toString(36).padStart(length, "0");
  const names = Array.from({ length: keys }, (_, at) => `x${digits(number, 2)}${digits(at, 3)}`);
  return Object.fromEntries(names.map((name) => [name, 1]));
}

const pushing =
  (keys: number): Load =>
  async ({ url, key }, signal) => {
    const client = clientOf(url, key);
    const [made] = await client.must<{ id: string; name: string }[]>("GET", "data/sources");
    source = made!.id;
    let number = 0;
    await repeat(signal, 100, () => {
      return client.call("POST", `feed/${source}`, { pushed: valuesOf(keys, number++) });
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
    // it is within the limits of a push
    await attacker.must("POST", `feed/${id}`, { pushed: valuesOf(most, 0) });
  },
  attack: pushing(most),
  harmless: pushing(5),
};
