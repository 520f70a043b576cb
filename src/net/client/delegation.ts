/** The delegation of a zone as its parent's servers give it; as a resolver sees it if none of them can be asked. */
import type { Resolver } from "node:dns/promises";
import { printRdata } from "../../dns/rdata/codec.ts";
import { composeQuery, parseReply, type Reply, type ResourceRecord } from "../../dns/reply.ts";
import { Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { Flag } from "../../dns/wire/message.ts";
import { ancestorsOf, nameFromApi, nameToApi } from "../../dns/wire/name.ts";
import type { Endpoint } from "../../lib/address/egress.ts";
import { exchange } from "./exchange.ts";

/** Names of servers, with their addresses where they are known. */
export type Servers = ReadonlyMap<string, readonly string[]>;

export interface Delegation {
  /** None if the zone is not delegated. Addresses are the parent's glue, or those that the resolver finds. */
  readonly servers: Servers;
  readonly asked: "parent" | "resolver";
}

const payload = 1232;
/** The most servers of the parent that are asked before the resolver's view has to do. */
const mostParents = 3;

/** Rejects if the resolver does not answer. `mayAsk` says which servers may be asked. */
export async function delegationOf(
  resolver: Resolver,
  zone: string,
  { port = 53, mayAsk = async () => true }: { port?: number; mayAsk?: (server: Endpoint) => Promise<boolean> },
): Promise<Delegation> {
  for (const parent of ancestorsOf(zone)) {
    const servers = await orNone(resolver.resolveNs(parent));
    if (servers.length === 0) continue;
    for (const server of servers.slice(0, mostParents)) {
      const [address] = await addressesOf(resolver, server);
      if (address === undefined || !(await mayAsk({ address, port }))) continue;
      const reply = await ask({ address, port }, zone, TypeCode.NS).catch(() => undefined);
      if (!reply || !saysSomething(reply)) continue;
      const names = serversIn([...reply.answer, ...reply.authority], zone);
      const found = names.map((name) => [name, addressesIn(reply.additional, name).sort()] as const);
      return { servers: new Map(found), asked: "parent" };
    }
    break;
  }
  const names = (await orNone(resolver.resolveNs(zone))).map((name) => name.toLowerCase()).sort();
  const all = names.map(async (name) => [name, (await addressesOf(resolver, name)).sort()] as const);
  return { servers: new Map(await Promise.all(all)), asked: "resolver" };
}

/** A server that has no data for the parent refuses or fails. */
const saysSomething = ({ rcode }: Reply) => rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN;

export const ask = async ({ address, port }: Endpoint, name: string, type: number): Promise<Reply> => {
  const query = composeQuery(nameFromApi(name), type, payload);
  const over = (transport: "udp" | "tcp") => exchange({ address, port, transport, timeout: 3000 }, query);
  const reply = parseReply(await over("udp"));
  return (reply.flags & Flag.TC) === 0 ? reply : parseReply(await over("tcp"));
};

/** The name servers of a zone among these records, in lower case. */
export const serversIn = (records: readonly ResourceRecord[], zone: string): string[] =>
  records
    .filter(({ owner, type }) => type.code === TypeCode.NS && nameToApi(owner).toLowerCase() === zone)
    .map(({ type, rdata }) => printRdata(type, rdata).toLowerCase().replace(/\.$/, ""))
    .sort();

export const addressesIn = (records: readonly ResourceRecord[], name: string): string[] =>
  records
    .filter(({ owner, type }) => isAddress(type.code) && nameToApi(owner).toLowerCase() === name)
    .map(({ type, rdata }) => printRdata(type, rdata));

const isAddress = (code: number) => code === TypeCode.A || code === TypeCode.AAAA;

export const addressesOf = async (resolver: Resolver, name: string): Promise<string[]> =>
  (await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])).flat();

/** Nothing for a denial; rejects if the resolver does not answer. */
const orNone = (asked: Promise<string[]>): Promise<string[]> =>
  asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENODATA" || error.code === "ENOTFOUND") return [];
    throw error;
  });
