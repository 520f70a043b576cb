/** Clocks that are wrong or step while the service runs: DNS answers, writes arrive, and signatures fail cleanly. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exchangeUdp } from "../dns/exchange.ts";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { sign, signatureOf, type TsigKey } from "../dns/tsig.ts";
import { output } from "../machine/processes.ts";
import { WrongClock } from "../machine/wrong-clock.ts";
import { type Service, service } from "../service/kit.ts";
import { rolesOf } from "../service/roles.ts";

const zone = "time.example";
const key: TsigKey = { name: "time.key", algorithm: "hmac-sha256", secret: Buffer.alloc(32, 5) };
const hour = 3600;
const day = 24 * hour;
/** How many seconds the clock is ahead, one step after another. */
const steps = [hour, -hour, 400 * day, -400 * day, 0];
const badTime = 18;

const clock = new WrongClock();
let running: Service;

beforeAll(async () => {
  running = await service({ inside: clock.inside, flags: ["--workers", "1"] });
  await running.zone(zone);
  await running.api("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret.toString("base64") });
  await vi.waitFor(async () => expect(await errorOf(0)).toBe(0), { timeout: 60_000, interval: 100 });
});

afterAll(async () => {
  await running?.stop();
  clock.remove();
});

/** The TSIG error in the reply to a query that is signed with a clock the given number of seconds ahead. */
async function errorOf(ahead: number): Promise<number | undefined> {
  const signed = sign(question(labels(zone), 6), key, { ahead });
  const [reply] = await exchangeUdp(running.port, [signed.octets]);
  return signatureOf(reply!, signed)?.error;
}

test.each(steps)(
  "after a step of the clock to %i s ahead, writes arrive, and signatures and cookies are valid",
  async (ahead) => {
    const roles = rolesOf(running);
    clock.set(ahead);
    const name = `s${ahead}.${zone}`;
    // the service's own clock shows the step
    await vi.waitFor(async () => {
      const { headers } = await running.api("GET", "zones");
      expect(Math.abs(Date.parse(headers.get("date") ?? "") / 1000 - Date.now() / 1000 - ahead)).toBeLessThan(60);
    });
    await running.put(zone, `${name} A`, ["192.0.2.1"]);
    await running.daemon.until(async () => (await running.ask(`${name} A`)).length === 1);
    expect(await errorOf(ahead)).toBe(0);
    if (ahead !== 0) expect(await errorOf(0)).toBe(badTime);
    const dig = await output("dig", ["@127.0.0.1", "-p", `${running.port}`, "+cookie", zone, "SOA"]);
    expect(dig).toMatch(/COOKIE: \w+ \(good\)/);
    expect(rolesOf(running)).toMatchObject({ edge: roles.edge, control: roles.control });
  },
);

test("control continues after a restart during which its clock was set back by a day", async () => {
  const [control] = rolesOf(running).control;
  clock.set(-day);
  process.kill(control!, "SIGKILL");
  await running.daemon.until(() => !rolesOf(running).control.includes(control!));
  await running.ready();
  const name = `again.${zone}`;
  await running.put(zone, `${name} A`, ["192.0.2.1"]);
  await running.daemon.until(async () => (await running.ask(`${name} A`)).length === 1, 60_000);
});
