/** Slow or endless primaries of accounts that hold all slots, while another account needs one. */
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

/** Begins a transfer and sends some records every 50 ms. */
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
/** Sends at four times the minimum speed. */
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
  const state = async () => (await client.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
  return { primary, state };
}

const held = (api: Client[], script: (fqdn: string) => Script) =>
  Promise.all(api.map((of, n) => secondaryOf(of, `held${n}.example`, script)));

test("slow servers keep their slots while no other account waits, and one server gives way when an account waits", async () => {
  const api = await startApi({ egressAllow: ["127.0.0.0/8"], refreshes: 1, pullLimits: { message: 60_000, least } });
  const strangers = await Promise.all([1, 2, 3].map(() => api.stranger()));
  const slow = await held(strangers, drip);
  const asked = () => slow.map(({ primary }) => primary.asked.length);
  await expect.poll(asked, patience).toEqual([1, 1, 1]);
  await new Promise((resolve) => setTimeout(resolve, 2 * least.over));
  const errors = () => Promise.all(slow.map(async ({ state }) => String((await state())["error"])));
  expect(await errors()).toEqual(Array(3).fill("null"));
  const { state } = await secondaryOf(api, "quick.example", whole);
  await expect.poll(async () => (await state())["status"], patience).toBe("ok");
  await expect
    .poll(async () => (await errors()).filter((error) => error !== "null"), patience)
    .toContainEqual(expect.stringMatching(/^127\.0\.0\.1 port \d+: is too slow while other zones wait for its slot/));
});

test("endless servers above the minimum speed keep two accounts' slots, and a third account gets extra slots", async () => {
  const api = await startApi({ egressAllow: ["127.0.0.0/8"], refreshes: 4, pullLimits: { message: 60_000, least } });
  const [one, two] = [await api.stranger(), await api.stranger()];
  const steadily = await held([one, one, two, two], steady);
  const asked = () => steadily.map(({ primary }) => primary.asked.length);
  await expect.poll(asked, patience).toEqual([1, 1, 1, 1]);
  const { state } = await secondaryOf(api, "quick.example", whole);
  await expect.poll(async () => (await state())["status"], patience).toBe("ok");
  const errors = await Promise.all(steadily.map(async ({ state }) => (await state())["error"]));
  expect(errors).toEqual(Array(4).fill(null));
});
