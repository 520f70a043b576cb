/** The name servers that a zone has here: what its parent has to name. */
import { apiName } from "../../../dns/wire/name.ts";
import { printIp, scanIp } from "../../../lib/address/ip.ts";
import type { Servers } from "../../../net/client/delegation.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import type { Db } from "../../kit/store.ts";
import { sourceOf } from "../model/zone/link.ts";
import { renamed } from "../model/zone/present.ts";
import { findRdata, type NamedRdata } from "./store.ts";

/** The most name servers of a zone that are compared, and addresses of one. */
export const mostServers = 32;
export const mostAddresses = 16;

/** The servers in the zone's NS record, or those of its networks if it has none; with addresses if they are in the zone. */
export async function ownServers(db: Db, row: ZoneRow): Promise<Servers> {
  const source = await sourceOf({ db, account_id: row.account_id }, row);
  const [apex] = source ? await findRdata(db, source, [source.zone], ["NS"]) : [];
  const names = (apex && apex.link === null ? textsOf(apex).map(apiName) : row.dns_servers).slice(0, mostServers);
  const inside = names.filter((name) => name === row.zone || name.endsWith(`.${row.zone}`));
  const stored = new Map(inside.map((name) => [renamed(name, row.zone, source?.zone ?? row.zone), name]));
  const found = source && inside.length > 0 ? await findRdata(db, source, [...stored.keys()], ["A", "AAAA"]) : [];
  const addresses = (name: string) =>
    found
      .filter(({ domain }) => stored.get(domain) === name)
      .flatMap(textsOf)
      .flatMap(addressIn)
      .slice(0, mostAddresses);
  return new Map(names.toSorted().map((name) => [name, addresses(name)]));
}

const textsOf = ({ rdata }: NamedRdata): string[] => (rdata ?? []).map(([first]) => String(first));

const addressIn = (text: string): string[] => {
  const octets = scanIp(text);
  return octets ? [printIp(octets)] : [];
};
