/** Looks up the addresses of hosts, and caches them for a minute. */
import { lookup } from "node:dns/promises";

export type ResolveHost = (host: string) => Promise<readonly string[]>;

/** Resolves host names as connections do. */
const resolveLikeConnections: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Milliseconds for which a host's addresses are cached. */
const cachedFor = 60_000;

interface Known {
  readonly at: number;
  readonly addresses: Promise<readonly string[]>;
}

export class HostAddresses {
  readonly #resolve: ResolveHost;
  readonly #known = new Map<string, Known>();

  constructor(resolve: ResolveHost = resolveLikeConnections) {
    this.#resolve = resolve;
  }

  /** Returns the addresses of a host; the last known addresses if the look-up fails. */
  of(host: string): Promise<readonly string[]> {
    const before = this.#known.get(host);
    const now = performance.now();
    if (before && now - before.at < cachedFor) return before.addresses;
    const addresses = this.#resolve(host).catch(() => before?.addresses ?? []);
    this.#known.set(host, { at: now, addresses });
    return addresses;
  }
}
