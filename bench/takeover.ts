/**
 * Control is killed under writes, again and again: the time until the last acknowledged write is in an answer, and until
 * the API replies.
 */
import { setTimeout as delay } from "node:timers/promises";
import { rolesOf } from "../test/service/roles.ts";
import { askerOf } from "./kit/asker.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { delayRows } from "./kit/measure.ts";
import { unlimitedService } from "./kit/served.ts";
import { address, apex } from "./kit/zone.ts";

const domain = `www.${apex}`;
const path = `zones/${apex}/${domain}/A`;
/** Milliseconds of writing before each kill. */
const writing = 500;

await bench(async (scale) => {
  const kills = scale(20, 3);
  await using running = await unlimitedService();
  await running.zone(apex);
  await running.put(apex, `${domain} A`, [address(0)]);
  const asker = await askerOf(running.port, domain);
  let last = 0;
  /** Writes until a write fails. The write that failed may have been stored. */
  const write = async () => {
    const client = await apiClient(running);
    const call = () =>
      client.call({ method: "POST", path, body: { answers: [{ answer: [address(last + 1)] }] } }).then(
        () => true,
        () => false,
      );
    while (await call()) last++;
    client.close();
  };
  const numbered: number[] = [];
  const replied: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const written = write();
    await delay(writing);
    const [control] = rolesOf(running).control;
    process.kill(control!, "SIGKILL");
    const killed = performance.now();
    const since = () => performance.now() - killed;
    await written;
    const isReady = async () => (await fetch(`${running.operator}/readyz`).catch(() => undefined))?.status === 200;
    const ready = async () => {
      while (!(await isReady())) await delay(10);
      replied.push(since());
    };
    await Promise.all([asker.until(address(last), address(last + 1)).then(() => numbered.push(since())), ready()]);
    last++;
  }
  asker.close();
  return [
    ...delayRows("takeover", "kill of control to the answer of the last write", numbered, { p50: 500, p99: 3000 }),
    ...delayRows("takeover", "kill of control to readiness", replied, { p50: 1500, p99: 3000 }),
  ];
});
