/** A clock that runs fast, thirty days in a minute: everything due happens, nothing happens early, and DNS answers. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { exchangeUdp } from "../dns/exchange.ts";
import { question } from "../dns/message.ts";
import { labels } from "../dns/names.ts";
import { sign, signatureOf, type TsigKey } from "../dns/tsig.ts";
import { ask } from "../engine/states.ts";
import { WrongClock } from "../machine/wrong-clock.ts";
import { answerTo, type ScriptedPrimary, scriptedPrimary, soa } from "../network/scripted-primary.ts";
import { Browser } from "../service/browser.ts";
import { type Service, service } from "../service/kit.ts";
import { mailsTo } from "../service/mails.ts";
import { www } from "../service/secondary-zones.ts";

const hour = 3600;
const day = 24 * hour;
const own = "fast.example";
const secondary = "followed.example";
const key: TsigKey = { name: "fast.key", algorithm: "hmac-sha256", secret: Buffer.alloc(32, 7) };
const password = randomBytes(20).toString("hex");
/**
 * Timers of the SOA record: refresh after a day, retry after an hour, expiry after a week, negative answers for 300 s.
 */
const times = `${day} ${hour} ${7 * day} 300`;
const patient = { timeout: 60_000, interval: 50 };
const refused = 5;

const clock = new WrongClock();
let running: Service;
let primary: ScriptedPrimary;
let ahead = 0;

beforeAll(async () => {
  running = await service({ inside: clock.inside, flags: ["--workers", "1"] });
  await running.zone(own);
  await running.put(own, `www.${own} A`, ["192.0.2.7"]);
  await running.api("PUT", `tsig/${key.name}`, { algorithm: key.algorithm, secret: key.secret.toString("base64") });
  const fqdn = `${secondary}.`;
  const zone = [soa(fqdn, 1, times), www(fqdn), soa(fqdn, 1, times)];
  primary = await scriptedPrimary({ soa: zone[0]!, transfer: (query) => [answerTo(query, zone)] });
  await running.zone(secondary, { secondary: { enabled: true, primary_ip: "127.0.0.1", primary_port: primary.port } });
  await vi.waitFor(async () => expect(await answered(own)).toBe("NOERROR 192.0.2.7"), patient);
  await vi.waitFor(async () => expect(await answered(secondary)).toBe("NOERROR 192.0.2.1"), patient);
  await vi.waitFor(async () => expect(await tsigError()).toBe(0), patient);
});

afterAll(async () => {
  await running?.stop();
  clock.remove();
});

const answered = (zone: string) => ask({ address: "127.0.0.1", port: running.port }, `www.${zone} A`);

/** The TSIG error in the reply to a query that is signed with the service's clock. */
async function tsigError(): Promise<number | undefined> {
  const signed = sign(question(labels(own), 6), key, { ahead });
  const [reply] = await exchangeUdp(running.port, [signed.octets]);
  return signatureOf(reply!, signed)?.error;
}

/** Lets hours pass, and checks the expected answers in each. */
async function pass(hours: number, answers: Readonly<Record<string, string>>): Promise<void> {
  for (let n = 0; n < hours; n++) {
    ahead += hour;
    clock.set(ahead);
    for (const [zone, answer] of Object.entries(answers))
      expect([ahead / hour, await answered(zone)]).toEqual([ahead / hour, answer]);
  }
}

const both = { [own]: "NOERROR 192.0.2.7", [secondary]: "NOERROR 192.0.2.1" };

/** Invites a user; returns the token of the invitation. */
async function invited(username: string): Promise<string> {
  const email = `${username}@example.com`;
  await running.must("PUT", "account/users", { name: username, username, email });
  const token = async () => /\/invitation#([\w-]{20,})/.exec((await mailsTo(running.data, email))[0]?.text ?? "")?.[1];
  await running.daemon.until(async () => (await token()) !== undefined);
  return (await token())!;
}

test("for thirty days, queries are answered in each hour, and writes arrive on each day", async () => {
  const tokens = [await invited("quick"), await invited("slow")];
  const page = new Browser(running.url, { Origin: running.url });
  const accept = (token: string) => page.call("POST", "auth/invitation", { token, password });
  for (let days = 1; days <= 30; days++) {
    const asked = primary.questions.count;
    await pass(24, both);
    // the refresh timer of the zone is a day
    await expect.poll(() => primary.questions.count, patient).toBeGreaterThan(asked);
    const name = `day${days}.${own}`;
    await running.put(own, `${name} A`, ["192.0.2.1"]);
    await running.daemon.until(async () => (await running.ask(`${name} A`)).length === 1);
    expect(await tsigError()).toBe(0);
    if (days === 2) expect((await accept(tokens[0]!)).status).toBe(200);
    if (days === 4) expect((await accept(tokens[1]!)).status).toBe(400);
  }
  expect((await page.call("GET", "zones")).status).toBe(401);
  expect((await running.api("GET", "zones")).status).toBe(200);
}, 300_000);

test("a zone whose primary is away is answered until it expires, and again when the primary is back", async () => {
  primary.script.udp = (query) => answerTo(query, [], { rcode: refused });
  await pass(5 * 24, both);
  ahead += 4 * day;
  clock.set(ahead);
  await expect.poll(() => answered(secondary), patient).toBe("SERVFAIL");
  await pass(24, { [own]: both[own]!, [secondary]: "SERVFAIL" });
  primary.script.udp = undefined;
  ahead += day;
  clock.set(ahead);
  await expect.poll(() => answered(secondary), patient).toBe("NOERROR 192.0.2.1");
}, 300_000);
