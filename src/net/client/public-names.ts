/** What the public DNS says about names, as a recursive resolver sees it. */
import { Resolver } from "node:dns/promises";

export interface PublicNames {
  /** Whether a name is delegated to nobody: it has no NS records. Undefined if the resolver cannot say. */
  isUndelegated(name: string): Promise<boolean | undefined>;
  /** Ends all questions. */
  close(): void;
}

/** Milliseconds for an answer, and questions in all. */
const patience = { timeout: 2000, tries: 2 };
/** A name that every resolver of the public DNS finds: one without it would deny all names. */
const known = "com";

/** Asks these servers (`address` or `address:port`), or those of the system if there are none. */
export function publicNames(servers: readonly string[]): PublicNames {
  const resolver = new Resolver(patience);
  if (servers.length > 0) resolver.setServers(servers);
  const hasServers = async (name: string): Promise<boolean | undefined> => {
    try {
      return (await resolver.resolveNs(name)).length > 0;
    } catch (error) {
      return isDenial(error) ? false : undefined;
    }
  };
  return {
    async isUndelegated(name) {
      // escapes are not names for the library
      if (name.includes("\\")) return undefined;
      const isDelegated = await hasServers(name);
      if (isDelegated !== false) return isDelegated === undefined ? undefined : false;
      return (await hasServers(known)) ? true : undefined;
    },
    close: () => resolver.cancel(),
  };
}

const isDenial = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENODATA" || error.code === "ENOTFOUND");
