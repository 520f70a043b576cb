/** Generated zones in a running service: created over the API, asked over its sockets. */
import { exchangeTcp, exchangeUdp } from "../../dns/exchange.ts";
import { print } from "../../dns/names.ts";
import type { Service } from "../../service/kit.ts";
import type { Side } from "./compare.ts";
import type { GeneratedZone } from "./zones.ts";

const recordsAtOnce = 500;

/** Leaves out the zone with a single label, which the API refuses. */
export async function overTheApi(service: Service, generated: readonly GeneratedZone[]): Promise<Side> {
  const accepted = generated.filter(({ apex }) => apex.length > 1);
  let last = "";
  for (const zone of accepted) last = await create(service, zone);
  await isNumbered(service, last);
  const zones = await Promise.all(accepted.map((zone) => asServed(service, zone)));
  const ask: Side["ask"] = (queries, transport) =>
    transport === "udp" ? exchangeUdp(service.port, queries) : exchangeTcp(service.port, queries);
  return { zones, ask };
}

/** Returns the id of the last change. */
async function create(service: Service, { state, rrsets }: GeneratedZone): Promise<string> {
  const { zone, ttl, refresh, retry, expiry, nx_ttl, hostmaster } = state;
  await service.zone(zone, { ttl, refresh, retry, expiry, nx_ttl, hostmaster });
  const records = rrsets.map(({ owner, type, ttl: own, answers }) => ({
    domain: print(owner),
    type,
    ttl: own,
    answers: answers.map((answer) => ({ answer })),
  }));
  let change = "";
  for (let from = 0; from < records.length; from += recordsAtOnce) {
    const put = records.slice(from, from + recordsAtOnce);
    const { status, headers, body } = await service.api("POST", `zones/${zone}/records`, { put });
    if (status !== 200) throw new Error(`${zone}: ${status} ${JSON.stringify(body)}`);
    change = headers.get("X-Fairlead-Change") ?? "";
  }
  return change;
}

async function isNumbered(service: Service, change: string) {
  for (;;) {
    const { body } = await service.api<{ revision: number | null }>("GET", `changes/${change}`);
    if (body.revision !== null) return;
  }
}

/** The zone with the serial and the primary that the service gave it. */
async function asServed(service: Service, zone: GeneratedZone): Promise<GeneratedZone> {
  type Shown = { serial: number; primary_master: string };
  const { body } = await service.api<Shown>("GET", `zones/${zone.state.zone}?records=false`);
  return { ...zone, serial: body.serial, state: { ...zone.state, primary_master: body.primary_master } };
}
