/** The addresses of hosts that are known by name, asked for again now and then. */
import { lookup } from "node:dns/promises";

export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** As the system does it for connections. */
const asConnections: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Milliseconds for which an answer counts. */
const keptFor = 60_000;

interface Known {
  readonly at: number;
  readonly addresses: Promise<readonly string[]>;
}

export class HostAddresses {
  readonly #resolve: ResolveHost;
  readonly #known = new Map<string, Known>();

  constructor(resolve: ResolveHost = asConnections) {
    this.#resolve = resolve;
  }

  /** Those that were found last, where the name cannot be looked up now. */
  of(host: string): Promise<readonly string[]> {
    const before = this.#known.get(host);
    const now = performance.now();
    if (before && now - before.at < keptFor) return before.addresses;
    const addresses = this.#resolve(host).catch(() => before?.addresses ?? []);
    this.#known.set(host, { at: now, addresses });
    return addresses;
  }
}
