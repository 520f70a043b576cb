/** Questions about names to a recursive resolver, which sees the public DNS. */
import { Resolver } from "node:dns/promises";
import type { Endpoint } from "../../lib/address/egress.ts";
import { type Delegation, delegationOf } from "./delegation.ts";

export interface PublicNames {
  /** Whether a name is delegated to nobody: it has no NS records. Undefined if the resolver cannot say. */
  isUndelegated(name: string): Promise<boolean | undefined>;
  /** The name servers of a name, in lower case; none if it has no NS records, undefined if the resolver cannot say. */
  serversOf(name: string): Promise<readonly string[] | undefined>;
  /**
   * The delegation of a zone at its parent, whose servers are asked if `mayAsk` lets them be asked. Undefined if nobody can
   * say.
   */
  delegationOf(zone: string, mayAsk: (server: Endpoint) => Promise<boolean>): Promise<Delegation | undefined>;
  /** The texts of the TXT records of a name; undefined if the resolver cannot say. */
  textsOf(name: string): Promise<readonly string[] | undefined>;
  /** Ends all questions. */
  close(): void;
}

/** Milliseconds for an answer, and questions in all. */
const patience = { timeout: 2000, tries: 2 };
/** A name that every resolver of the public DNS finds: one without it would deny all names. */
const known = "com";

/**
 * Asks these servers (`address` or `address:port`), or those of the system if there are none. The servers of parents are
 * asked at `parentPort`.
 */
export function publicNames(servers: readonly string[], parentPort = 53): PublicNames {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  /** None for a denial, and undefined for a failure. Escapes are not names for the library. */
  const ask = async <T>(name: string, question: () => Promise<readonly T[]>): Promise<readonly T[] | undefined> => {
    if (name.includes("\\")) return undefined;
    try {
      return await question();
    } catch (error) {
      return isDenial(error) ? [] : undefined;
    }
  };
  const serversOf = async (name: string) => {
    const servers = await ask(name, () => resolver.resolveNs(name));
    return servers?.map((server) => server.toLowerCase().replace(/\.$/, ""));
  };
  const seesPublicDns = async () => ((await serversOf(known)) ?? []).length > 0;
  return {
    serversOf,
    async isUndelegated(name) {
      const servers = await serversOf(name);
      if (servers === undefined || servers.length > 0) return servers && false;
      return (await seesPublicDns()) ? true : undefined;
    },
    async delegationOf(zone, mayAsk) {
      if (zone.includes("\\")) return undefined;
      const found = await delegationOf(resolver, zone, { port: parentPort, mayAsk }).catch(() => undefined);
      const isSure = found && (found.asked === "parent" || found.servers.size > 0 || (await seesPublicDns()));
      return isSure ? found : undefined;
    },
    textsOf: async (name) => (await ask(name, () => resolver.resolveTxt(name)))?.map((parts) => parts.join("")),
    close: () => resolver.cancel(),
  };
}

const isDenial = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENODATA" || error.code === "ENOTFOUND");
