/** A generated zone as a zone file for the peer, printed without src/dns so that a fault there cannot hide. */

import { absolute, labels } from "../../dns/names.ts";
import type { ZoneFile } from "../nsd.ts";
import type { GeneratedZone, Rrset } from "./zones.ts";

export function zoneFile(zone: GeneratedZone): ZoneFile {
  const { state, serial } = zone;
  const rname = absolute(labels(state.hostmaster.replace("@", ".")));
  const timers = [serial, state.refresh, state.retry, state.expiry, state.nx_ttl].join(" ");
  const soa = `${absolute(zone.apex)} ${state.ttl} IN SOA ${state.primary_master}. ${rname} ${timers}`;
  const records = zone.rrsets.filter((rrset) => !rrset.oursOnly).flatMap(printRrset);
  return { name: absolute(zone.apex), text: `${[soa, ...records].join("\n")}\n` };
}

const printRrset = ({ owner, type, ttl, answers }: Rrset): string[] =>
  answers.map(
    (answer) => `${absolute(owner)} ${ttl} IN ${type} ${answer.map((part, n) => field(type, part, n)).join(" ")}`,
  );

function field(type: string, part: string | number, position: number): string {
  const quoted = type === "TXT" || (type === "CAA" && position === 2);
  return quoted ? `"${`${part}`.replace(/["\\]/g, "\\$&")}"` : `${part}`;
}
