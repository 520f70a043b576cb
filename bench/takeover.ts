/**
 * Control is killed under writes, again and again: the time until the last acknowledged write is in an answer, and until
 * the API replies. Meanwhile the edge gives changes their numbers.
 */
import { setTimeout as delay } from "node:timers/promises";
import { rolesOf } from "../test/service/roles.ts";
import { askerOf } from "./kit/asker.ts";
import { bench } from "./kit/bench.ts";
import { apiClient } from "./kit/client.ts";
import { median } from "./kit/measure.ts";
import { atMost, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";
import { address, apex } from "./kit/zone.ts";

/** Clients that write at the same time, each its own record: most kills then meet a change without a number. */
const clients = 8;
/** Milliseconds of writing before each kill. */
const writing = 500;

/** Milliseconds between two questions. */
const pause = 1;

await bench(async (scale) => {
  const kills = scale(20, 3);
  await using running = await unlimitedService();
  await running.zone(apex);
  const each = Array.from({ length: clients }, async (_, n) => {
    const domain = `w${n}.${apex}`;
    await running.put(apex, `${domain} A`, [address(0)]);
    const asker = await askerOf(running.port, domain, pause);
    let last = 0;
    return {
      /**
       * Writes once: the connection is then this control's, and does not wait for the next one. The result writes until a
       * write fails; that write may have been stored.
       */
      async begin() {
        const client = await apiClient(running);
        const write = async () => {
          const body = { answers: [{ answer: [address(last + 1)] }] };
          await client.call({ method: "POST", path: `zones/${apex}/${domain}/A`, body });
          last++;
        };
        await write();
        return async () => {
          try {
            for (;;) await write();
          } catch {
            client.close();
          }
        };
      },
      answered: () => asker.until(address(last), address(last + 1)),
      goOn: () => last++,
      close: () => asker.close(),
    };
  });
  const all = await Promise.all(each);
  const numbered: number[] = [];
  const replied: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const writers = await Promise.all(all.map((writer) => writer.begin()));
    const written = Promise.all(writers.map((write) => write()));
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
    await Promise.all([
      Promise.all(all.map((writer) => writer.answered())).then(() => numbered.push(since())),
      ready(),
    ]);
    for (const writer of all) writer.goOn();
  }
  for (const writer of all) writer.close();
  return [
    ...rows("kill of control to the answers of the last writes", numbered, { median: 500, longest: 500 }),
    ...rows("kill of control to readiness", replied, { median: 1500, longest: 3000 }),
  ];
});

function rows(what: string, times: readonly number[], most: { readonly median: number; readonly longest: number }) {
  const row = (label: string, ours: number, limit: number): Row => ({
    ...{ name: "takeover", measure: `${what}: ${label}`, unit: "ms", ours, peers: {} },
    ...atMost(ours, limit, "ms"),
  });
  return [row("median", median(times), most.median), row("longest", Math.max(...times), most.longest)];
}
