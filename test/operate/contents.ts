/** The names that clients write and edges answer: records, and records that follow feeds. */
import { exchangeUdp } from "../dns/exchange.ts";
import { parseReply, question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import type { Client } from "../service/client.ts";
import type { Text } from "./ledger.ts";
import { rowsOf, type StorePlace } from "./place.ts";

export const zone = "operate.example";
export const key = { name: "operate.key", secret: Buffer.from("a key for one run alone").toString("base64") };
export const records = Array.from({ length: 600 }, (_, n) => `n${n}.${zone}`);
export const feeds = Array.from({ length: 20 }, (_, n) => `f${n}.${zone}`);
const names = [...records, ...feeds];
const type = { SOA: 6, TXT: 16 };

/** Makes the zone, a source with feeds, and a record for each feed: its text is `up` or `down`, as the feed says. Returns the id of the source. */
export async function makeContents(client: Client): Promise<string> {
  await client.must("PUT", `tsig/${key.name}`, { algorithm: "hmac-sha256", secret: key.secret });
  const secondaries = [{ ip: "192.0.2.1", port: 53, notify: false, tsig_key: key.name }];
  await client.must("PUT", `zones/${zone}`, { zone, primary: { enabled: true, secondaries } });
  const { id: source } = await client.must<{ id: string }>("PUT", "data/sources", {
    name: "operate",
    sourcetype: "nsone_v1",
  });
  for (const name of feeds) {
    const { id: feed } = await client.must("PUT", `data/feeds/${source}`, { name, config: { label: name } });
    await client.must("PUT", `zones/${zone}/${name}/TXT`, {
      answers: [
        { answer: ["up"], meta: { up: { feed } } },
        { answer: ["down"], meta: { up: true } },
      ],
      filters: [{ filter: "up" }, { filter: "select_first_n", config: { N: 1 } }],
    });
  }
  return source;
}

/** What edges should answer, by name. */
export async function storedIn(store: StorePlace): Promise<Map<string, string>> {
  const rows = await rowsOf<{ name: string; text: string }>(
    store,
    `select domain as name, answers->0->'answer'->>0 as text from record where type = 'TXT' and domain like 'n%.${zone}'
     union all select label, case data->>'up' when 'true' then 'up' else 'down' end from feed where data->>'up' is not null`,
  );
  return new Map(rows.map(({ name, text }) => [name, text]));
}

/** What an edge answers, by name; undefined if it does not answer at all. */
export async function answeredBy(port: number): Promise<ReadonlyMap<string, Text> | undefined> {
  const questions = names.map((name) => question(labels(name), type.TXT));
  const replies = await exchangeUdp(port, questions).catch(() => undefined);
  return replies && new Map(names.map((name, n) => [name, textOf(replies[n]!)]));
}

/** The serial of the zone; undefined if the edge does not answer. */
export async function serialAt(port: number): Promise<number | undefined> {
  const replies = await exchangeUdp(port, [question(labels(zone), type.SOA)]).catch(() => undefined);
  const soa = replies && parseReply(replies[0]!).answer[0];
  // SOA RDATA: two names, then the serial
  return soa === undefined ? undefined : Number.parseInt(soa.split(" ").at(-1)!.slice(-40, -32), 16);
}

/** TXT RDATA in hexadecimal: one length octet, then the text. */
function textOf(reply: Buffer): Text {
  const [record] = parseReply(reply).answer;
  return record && Buffer.from(record.split(" ").at(-1)!, "hex").toString("latin1", 1);
}

/** The names that are answered otherwise than stored. */
export const differences = (answered: ReadonlyMap<string, Text>, stored: ReadonlyMap<string, string>) =>
  names.filter((name) => answered.get(name) !== stored.get(name));
