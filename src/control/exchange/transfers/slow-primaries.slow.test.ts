/** Primaries that send too little, or for too long, on zones of two accounts that take all places, while a third has a zone. */
import { expect, test } from "vitest";
import {
  answerTo,
  framed,
  record,
  type Script,
  scriptedPrimary,
  soa,
} from "../../../../test/network/scripted-primary.ts";
import { type Client, type Fields, startApi } from "../../../../test/service/api.ts";
import { patience, www } from "../../../../test/service/secondary-zones.ts";
import type { ResourceRecord } from "../../../dns/reply.ts";

const least = { octets: 10_000, over: 500 };
const every = 50;

/** Begins a transfer and goes on with some records every 50 ms. */
const endless =
  (records: (zone: string, n: number) => ResourceRecord[]) =>
  (zone: string): Script => ({
    soa: soa(zone, 1),
    transfer: (query, socket) => {
      socket.write(framed(answerTo(query, [soa(zone, 1)])));
      let n = 0;
      const timer = setInterval(() => socket.write(framed(answerTo(query, records(zone, n++)))), every);
      socket.on("close", () => clearInterval(timer));
      return undefined;
    },
  });

const drip = endless((zone) => [www(zone)]);
/** Four times the least. */
const steady = endless((zone, n) => {
  const text = Array(8)
    .fill(`"${"x".repeat(248)}"`)
    .join(" ");
  return [record(`n${n}.${zone} 300 TXT ${text}`)];
});

const whole = (zone: string): Script => ({
  soa: soa(zone, 1),
  transfer: (query) => [answerTo(query, [soa(zone, 1), www(zone), soa(zone, 1)])],
});

async function secondaryOf(client: Client, zone: string, script: (fqdn: string) => Script) {
  const primary = await scriptedPrimary(script(`${zone}.`));
  const settings = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await client.must("PUT", `zones/${zone}`, { secondary: settings });
  const look = async () => (await client.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
  return { primary, look };
}

test.for([
  ["a record now and then", drip],
  ["steadily more than the least, and never all", steady],
] as const)("who sends %s keeps its place while nobody waits, and makes way when somebody does", async ([, script]) => {
  const api = await startApi({ looks: 4, pullLimits: { message: 60_000, least } });
  const [one, two] = [await api.stranger(), await api.stranger()];
  const held = await Promise.all([one, one, two, two].map((of, n) => secondaryOf(of, `held${n}.example`, script)));
  const asked = () => held.map(({ primary }) => primary.asked.length);
  await expect.poll(asked, patience).toEqual([1, 1, 1, 1]);
  const errors = () => Promise.all(held.map(async ({ look }) => String((await look())["error"])));
  expect(await errors()).toEqual(Array(4).fill("null"));
  const { look } = await secondaryOf(api, "quick.example", whole);
  await expect.poll(async () => (await look())["status"], patience).toBe("ok");
  await expect
    .poll(async () => (await errors()).filter((error) => error !== "null"), patience)
    .toContainEqual(expect.stringMatching(/^127\.0\.0\.1 port \d+: is too slow while other zones wait for its place/));
});
