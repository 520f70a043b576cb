/** Primaries that send a little now and then, on zones of two accounts that take all places, while a third has a zone. */
import { expect, test } from "vitest";
import { type Client, type Fields, startApi } from "../../../test/api.ts";
import { answerTo, framed, type Script, scriptedPrimary, soa } from "../../../test/scripted-primary.ts";
import { patience, www } from "../../../test/secondary-zones.ts";

const api = await startApi({ looks: 4, pullLimits: { message: 60_000, least: { octets: 10_000, over: 500 } } });

/** Begins a transfer and goes on with a record every 50 ms. */
const drip = (zone: string): Script => ({
  soa: soa(zone, 1),
  transfer: (query, socket) => {
    socket.write(framed(answerTo(query, [soa(zone, 1)])));
    const timer = setInterval(() => socket.write(framed(answerTo(query, [www(zone)]))), 50);
    socket.on("close", () => clearInterval(timer));
    return undefined;
  },
});

const whole = (zone: string): Script => ({
  soa: soa(zone, 1),
  transfer: (query) => [answerTo(query, [soa(zone, 1), www(zone), soa(zone, 1)])],
});

async function secondary(client: Client, zone: string, script: (fqdn: string) => Script) {
  const primary = await scriptedPrimary(script(`${zone}.`));
  const settings = { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port };
  await client.must("PUT", `zones/${zone}`, { secondary: settings });
  const look = async () => (await client.must<{ secondary: Fields }>("GET", `zones/${zone}`)).secondary;
  return { primary, look };
}

test("they keep their places while nobody waits, and make way when somebody does", async () => {
  const [one, two] = [await api.stranger(), await api.stranger()];
  const slow = await Promise.all([one, one, two, two].map((client, n) => secondary(client, `slow${n}.example`, drip)));
  const asked = () => slow.map(({ primary }) => primary.asked.length);
  await expect.poll(asked, patience).toEqual([1, 1, 1, 1]);
  const errors = () => Promise.all(slow.map(async ({ look }) => String((await look())["error"])));
  expect(await errors()).toEqual(Array(4).fill("null"));
  const { look } = await secondary(api, "quick.example", whole);
  await expect.poll(async () => (await look())["status"], patience).toBe("ok");
  await expect
    .poll(async () => (await errors()).filter((error) => error !== "null"), patience)
    .toContainEqual(expect.stringMatching(/^127\.0\.0\.1 port \d+: is too slow while other zones wait for its place/));
});
