/** The API with 16 clients: durable creation and update of records, and reading a zone of 1,000 records. */
import { bench } from "./kit/bench.ts";
import type { Call } from "./kit/client.ts";
import { type Load, load } from "./kit/measure.ts";
import { atLeast, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";
import { recordOf, writesOf } from "./kit/writes.ts";

const clients = 16;
const zones = Array.from({ length: clients }, (_, n) => `zone${n}.example`);
const readZone = "thousand.example";
/** The expected durable writes a second on two cores. */
const expected = 2500;

const oneZone = () => zones[0]!;
const ownZone = (client: number) => zones[client]!;

await bench(async (scale) => {
  await using running = await unlimitedService();
  for (const zone of [...zones, readZone]) await running.zone(zone);
  await running.api("POST", `zones/${readZone}/records`, {
    put: Array.from({ length: 1000 }, (_, n) => recordOf(readZone, `h${n}`, n)),
  });
  const rows: Row[] = [];
  const measure = async (name: string, next: (client: number, n: number) => Call, least?: number) => {
    rows.push(...rowsOf(name, await load(running, clients, scale(10), next), least));
  };
  const inOne = writesOf("a", oneZone);
  const inOwn = writesOf("b", ownZone);
  await measure("create, one zone", inOne.create, expected);
  await measure("update, one zone", inOne.update, expected);
  await measure("create, 16 zones", inOwn.create, expected);
  await measure("update, 16 zones", inOwn.update, expected);
  await measure("read a zone of 1,000 records", () => ({ method: "GET", path: `zones/${readZone}` }));
  return rows;
});

function rowsOf(what: string, { perSecond, p50, p99, control, store }: Load, least?: number): Row[] {
  const common = { name: "api", peers: {}, target: "" };
  const judged = least === undefined ? {} : atLeast(perSecond, least, "/s");
  return [
    { ...common, measure: what, unit: "/s", ours: perSecond, ...judged },
    { ...common, measure: `${what}: p50`, unit: "ms", ours: p50 },
    { ...common, measure: `${what}: p99`, unit: "ms", ours: p99 },
    { ...common, measure: `${what}: CPU time of API and store`, unit: "ms a call", ours: control + store },
  ];
}
