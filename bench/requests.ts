/**
 * The cost of authentication: requests that are answered from memory, with the first key, and with a team's key to
 * which allow lists apply; compared with `/healthz`, which has no authentication. CPU time of the process that serves
 * the API, in turns.
 */
import { newId } from "../src/lib/ids.ts";
import type { Service } from "../test/service/kit.ts";
import { bench } from "./kit/bench.ts";
import { load, median } from "./kit/measure.ts";
import type { Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";

const clients = 4;
const rounds = 5;
/** Entries of the allow lists of key, team and account together. */
const entries = 300;

await bench(async (scale) => {
  await using running = await unlimitedService();
  const listed = await listedKey(running);
  const kinds = [
    { measure: "/healthz", path: "/healthz", key: running.key },
    { measure: "a reply from memory, with the first key", path: "networks", key: running.key },
    { measure: `the same with a key of a team, and ${entries} entries of allow lists`, path: "networks", key: listed },
  ];
  const times = kinds.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [n, { path, key }] of kinds.entries()) {
      const { control } = await load(running, clients, scale(3), () => ({ method: "GET", path }), key);
      times[n]!.push(control * 1000);
    }
  }
  const [health, ...others] = times.map(median);
  const cost = (n: number, ours: number, peers: Row["peers"]): Row => ({
    ...{ name: "requests", measure: `CPU time of the API: ${kinds[n]!.measure}`, unit: "us" },
    ...{ ours, peers, target: "" },
  });
  return [cost(0, health!, {}), ...others.map((ours, n) => cost(n + 1, ours, { "/healthz": health! }))];
});

/** Creates a key of a team. The key, the team and the account have a third of the entries each. */
async function listedKey(running: Service): Promise<string> {
  const values = ["127.0.0.1", ...Array.from({ length: entries / 3 - 1 }, (_, n) => `192.0.2.${n}`)].reverse();
  await running.must("PUT", "account/whitelist", { name: "all", values });
  const lists = [{ name: "all", values }];
  const team = await running.must("PUT", "account/teams", { name: newId(), ip_whitelist: lists });
  const body = { name: newId(), teams: [team["id"]], ip_whitelist: values, ip_whitelist_strict: true };
  return String((await running.must("PUT", "account/apikeys", body))["key"]);
}
