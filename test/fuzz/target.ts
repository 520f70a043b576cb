/**
 * The fuzzed service: a zone with an example of everything, a zone with steered records, and rate limits for some
 * clients.
 */

import { lines, zone } from "../flows/wire/zone.ts";
import { processesBelow } from "../machine/proc.ts";
import { freePort } from "../machine/processes.ts";
import { recordsOf } from "../scenarios/image.ts";
import { type Service, service } from "../service/kit.ts";

export interface Target {
  readonly service: Service;
  readonly ports: { readonly dns: number; readonly dot: number; readonly doh: number };
  /** Process ids. */
  readonly edge: number;
  readonly control: number;
}

/** The value of NSID. */
export const nsid = "fuzz";
/** The address without rate limits; other loopback addresses have limits. */
export const unlimited = "127.0.0.1";

const steeredZone = "steered.test";
const elsewhere = "www.elsewhere.example";

export async function startTarget(flags: readonly string[] = [], nodeFlags: readonly string[] = []): Promise<Target> {
  const [dot, doh] = [await freePort(), await freePort()];
  const limits = ["--dns-limit", "300", "--dns-error-limit", "100", "--dns-limit-exempt", `${unlimited}/32`];
  const running = await service({
    nodeFlags,
    flags: [
      ...["--dot", `127.0.0.1:${dot}`, "--doh", `127.0.0.1:${doh}`, "--nsid", nsid, "--workers", "2"],
      ...["--nameservers", `ns1.${zone}`, ...limits, ...flags],
    ],
  });
  await running.zone(zone, { nx_ttl: 60 });
  await running.zone(steeredZone);
  await put(running, zone, plainRecords());
  await put(running, steeredZone, steeredRecords());
  await answered(running);
  const processOf = (role: string) =>
    processesBelow(running.daemon.pid).find(({ line }) => line.at(-1) === role)?.pid ?? 0;
  return {
    service: running,
    ports: { dns: running.port, dot, doh },
    edge: processOf("edge"),
    control: processOf("control"),
  };
}

/** Leaves out records that answer SERVFAIL by design, since a SERVFAIL over this zone is a fault. */
const plainRecords = () =>
  recordsOf(zone, lines)
    .filter(({ domain, type }) => type !== "ALIAS" && !(domain === zone && type === "NS"))
    .map(({ domain, type, ttl, answers }) => ({ domain, type, ttl, answers }));

/** The names in most packets: existing and missing ones, and aliases. */
export const names: readonly string[] = [
  ...["", "www", "x.wild", "named.wild", "x.cut.wild", "a.b.ent", "b.ent", "x.sub", "x.d", "left", "self", "b.round"],
  ...["a.to", "a.grow", "link0", "mail", "large", "huge", "nx", "x.y.middle", "*.wild", "ns1", "mx7"],
]
  .map((name) => (name === "" ? zone : `${name}.${zone}`))
  .concat(Array.from({ length: 8 }, (_, index) => `steer${index}.${steeredZone}`))
  .concat([steeredZone, elsewhere, "", "test"]);

const fence = { ip_prefixes: ["198.51.100.0/24", "2001:db8::/32"] };
const chains = [
  { filters: ["up"], metas: [{ up: true }, { up: false }] },
  { filters: ["up"], metas: [{ up: false }, { up: false }] },
  { filters: ["up", "weighted_shuffle", "select_first_n"], metas: [{ weight: 0 }, { weight: 3 }] },
  { filters: ["netfence_prefix", "select_first_n"], metas: [fence, {}] },
  { filters: ["geofence_country", "shuffle"], metas: [{ country: ["DE"] }, { country: ["US"], us_state: ["CA"] }] },
  {
    filters: ["geotarget_latlong"],
    metas: [
      { latitude: 48, longitude: 11 },
      { latitude: -30, longitude: 150 },
    ],
  },
  { filters: ["sticky", "weighted_sticky"], metas: [{ weight: 1 }, { weight: 9 }] },
  {
    filters: ["priority", "additional_metadata"],
    metas: [
      { priority: 2, note: "second" },
      { priority: 1, note: "first" },
    ],
  },
] as const;

const steeredRecords = () =>
  chains.map(({ filters, metas }, index) => ({
    domain: `steer${index}.${steeredZone}`,
    type: "A",
    ttl: 60,
    filters: filters.map((filter) => ({ filter, config: {} })),
    answers: metas.map((meta, at) => ({ answer: [`192.0.2.${10 * index + at}`], meta })),
  }));

/** Waits until the edge has the new records; steered records come last. */
async function answered(running: Service): Promise<void> {
  const deadline = Date.now() + 120_000;
  while ((await running.ask(`steer0.${steeredZone} A`)).length === 0) {
    if (Date.now() > deadline) throw new Error("the edge does not answer the new records");
  }
}

async function put(running: Service, zoneName: string, records: readonly object[]): Promise<void> {
  const { status, body } = await running.api("POST", `zones/${zoneName}/records`, { put: records });
  if (status !== 200) throw new Error(`${zoneName}: ${JSON.stringify(body)}`);
}
