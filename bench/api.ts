/** The API with 16 clients: records created and updated, durably, and a zone of 1,000 records read. node bench/api.ts [seconds] */
import { service } from "../test/kit.ts";
import type { Call } from "./client.ts";
import { type Load, load, printTable } from "./measure.ts";

const seconds = Number(process.argv[2] ?? 10);
const clients = 16;
const zones = Array.from({ length: clients }, (_, n) => `zone${n}.example`);
const readZone = "thousand.example";
/** Durable writes a second that are expected of two cores. */
const expected = 2500;

await using running = await service({ flags: ["--rate-limit", "100000000/1"] });
for (const zone of [...zones, readZone]) await running.zone(zone);
await running.api("POST", `zones/${readZone}/records`, {
  put: Array.from({ length: 1000 }, (_, n) => record(readZone, `h${n}`, n)),
});

/** Records that each client has created. */
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

const rows: [string, Load][] = [];
const measure = async (name: string, next: (client: number, n: number) => Call) => {
  rows.push([name, await load(running, clients, seconds, next)]);
};
await measure("create, one zone", create("a", oneZone));
await measure("update, one zone", update("a", oneZone));
await measure("create, 16 zones", create("b", ownZone));
await measure("update, 16 zones", update("b", ownZone));
await measure("read a zone of 1,000 records", () => ({ method: "GET", path: `zones/${readZone}` }));

printTable(
  ["16 clients", "a second", "p50 ms", "p99 ms", "API's CPU ms", "store's CPU ms", "edge's CPU ms", `of ${expected}/s`],
  rows.map(([name, { perSecond, p50, p99, control, store, edge }]) => [
    name,
    perSecond.toFixed(0),
    p50.toFixed(2),
    p99.toFixed(2),
    control.toFixed(2),
    store.toFixed(2),
    edge.toFixed(2),
    name.startsWith("read") ? "" : `${(perSecond / expected).toFixed(2)} x`,
  ]),
);

function record(zone: string, label: string, n: number) {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return { zone, domain: `${label}.${zone}`, type: "A", answers: [{ answer: [address] }] };
}
