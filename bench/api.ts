/** The API with 16 clients: durable creation and update of records, and reading a zone of 1,000 records. */
import { bench } from "./kit/bench.ts";
import type { Call } from "./kit/client.ts";
import { type Load, load } from "./kit/measure.ts";
import { above, type Row } from "./kit/rows.ts";
import { unlimitedService } from "./kit/served.ts";

const clients = 16;
const zones = Array.from({ length: clients }, (_, n) => `zone${n}.example`);
const readZone = "thousand.example";
/** The expected durable writes a second on two cores. */
const expected = 2500;

/** Numbers of created records by client. */
const created = new Map<string, number>();
const create =
  (label: string, zoneOf: (client: number) => string) =>
  (client: number, n: number): Call => {
    const zone = zoneOf(client);
    const body = record(zone, `${label}-${client}-${n}`, n);
    created.set(`${label}-${client}`, n + 1);
    return { method: "PUT", path: `zones/${zone}/${body.domain}/A`, body };
  };
const update =
  (label: string, zoneOf: (client: number) => string) =>
  (client: number, n: number): Call => {
    const zone = zoneOf(client);
    const { answers, domain } = record(zone, `${label}-${client}-${n % created.get(`${label}-${client}`)!}`, n + 7);
    return { method: "POST", path: `zones/${zone}/${domain}/A`, body: { answers } };
  };
const oneZone = () => zones[0]!;
const ownZone = (client: number) => zones[client]!;

await bench(async (scale) => {
  await using running = await unlimitedService();
  for (const zone of [...zones, readZone]) await running.zone(zone);
  await running.api("POST", `zones/${readZone}/records`, {
    put: Array.from({ length: 1000 }, (_, n) => record(readZone, `h${n}`, n)),
  });
  const rows: Row[] = [];
  const measure = async (name: string, next: (client: number, n: number) => Call, least?: number) => {
    rows.push(...rowsOf(name, await load(running, clients, scale(10), next), least));
  };
  await measure("create, one zone", create("a", oneZone), expected);
  await measure("update, one zone", update("a", oneZone), expected);
  await measure("create, 16 zones", create("b", ownZone), expected);
  await measure("update, 16 zones", update("b", ownZone), expected);
  await measure("read a zone of 1,000 records", () => ({ method: "GET", path: `zones/${readZone}` }));
  return rows;
});

function rowsOf(what: string, { perSecond, p50, p99, control, store }: Load, least?: number): Row[] {
  const common = { name: "api", peers: {}, target: "" };
  const judged = least === undefined ? {} : above(perSecond, least, "/s");
  return [
    { ...common, measure: what, unit: "/s", ours: perSecond, ...judged },
    { ...common, measure: `${what}: p50`, unit: "ms", ours: p50 },
    { ...common, measure: `${what}: p99`, unit: "ms", ours: p99 },
    { ...common, measure: `${what}: CPU time of API and store`, unit: "ms a call", ours: control + store },
  ];
}

function record(zone: string, label: string, n: number) {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return { zone, domain: `${label}.${zone}`, type: "A", answers: [{ answer: [address] }] };
}
