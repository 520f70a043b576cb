/** Pushes of many values that records name: all of them reach the table of every edge. */
import { type Client, clientOf } from "../../service/client.ts";
import { type Attack, type Load, repeat } from "../attack.ts";

const zone = "pushed.example";
const keys = ["up", "connections", "requests", "loadavg", "latitude", "longitude", "priority", "weight", "cost"];
/** As many as the answers of a record. */
const perRecord = 100;
const records = 20;

const sources = async (client: Client) => client.must<{ id: string }[]>("GET", "data/sources");

const pushing =
  (share: number): Load =>
  async (target, signal) => {
    const client = clientOf(target.url, target.key);
    const [source] = await sources(client);
    const count = Math.ceil(records * perRecord * target.share * share);
    let number = 0;
    await repeat(signal, 100, () => {
      number++;
      const values = Object.fromEntries(keys.map((key, at) => [key, (number + at) % 90]));
      const pushed = Object.entries({ ...values, up: number % 2 === 0 });
      const body = Array.from({ length: count }, (_, at) => [`f${at}`, Object.fromEntries(pushed)]);
      return client.call("POST", `feed/${source!.id}`, Object.fromEntries(body));
    });
  };

export const feedValues: Attack = {
  name: "feed-values",
  what: "ten pushes a second of 18,000 values that records name",
  victim: "feeds",
  bar: 3,
  async prepare(client, { share }) {
    await client.must("PUT", "data/sources", { name: "abuse", sourcetype: "nsone_v1", config: {} });
    const [source] = await sources(client);
    await client.must("PUT", `zones/${zone}`, { zone });
    for (let record = 0; record < Math.ceil(records * share); record++) {
      const labels = Array.from({ length: perRecord }, (_, at) => `f${record * perRecord + at}`);
      const make = (label: string) =>
        client.must<{ id: string }>("PUT", `data/feeds/${source!.id}`, { name: label, config: { label } });
      const feeds = await Promise.all(labels.map(make));
      const answers = feeds.map(({ id: feed }, at) => ({
        answer: [`192.0.2.${at}`],
        meta: Object.fromEntries(keys.map((key) => [key, { feed }])),
      }));
      const domain = `r${record}.${zone}`;
      const filters = [{ filter: "up", config: {} }];
      await client.must("PUT", `zones/${zone}/${domain}/A`, { zone, domain, type: "A", answers, filters });
    }
  },
  attack: pushing(1),
  harmless: pushing(0.0005),
};
