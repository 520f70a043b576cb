/** The origin of a request: the peer's address, or the address that trusted proxies report. */
import {
  contains,
  type IpPrefix,
  networkOf,
  printIp,
  scanIp,
  scanPrefix,
  withoutMapping,
} from "../../lib/address/ip.ts";

/** The names by which limits know a client. */
export interface ClientNames {
  /** The address, or the /64 of an IPv6 address: a host has a whole /64. */
  readonly bucket: string;
  /** The address, or the /48 of an IPv6 address: a customer of a provider may have a whole /48. */
  readonly network: string;
}

/** The number of buckets whose limits a network has together: the rate limits and tries of a network are those of a bucket times this. */
export const networkBuckets = 10;

export interface Origin extends ClientNames {
  /** Canonical spelling; an IPv4 address mapped into IPv6 is written as IPv4. */
  readonly address: string;
  /** The peer is a proxy whose X-Forwarded headers are trusted. */
  readonly proxied: boolean;
}

const loopback = ["127.0.0.0/8", "::1/128"];

/**
 * The addresses by which clients share connections. Peers on loopback and on sockets of the file system are taken for
 * proxies, too: they carry requests of many clients, and what they report only matters for the share.
 */
export class Sharers {
  readonly #origins: Origins;

  constructor(trustedProxies: readonly string[]) {
    this.#origins = new Origins([...trustedProxies, ...loopback]);
  }

  /** The client that takes the place of a connection; undefined for a proxy. */
  ofConnection(peer: string | undefined): ClientNames | undefined {
    const origin = this.#origins.find(peer ?? "::1", undefined);
    return origin.proxied ? undefined : origin;
  }

  /** The sender of a request that a proxy passes on; undefined if no proxy did. */
  ofRequest(peer: string | undefined, forwardedFor: string | undefined): ClientNames | undefined {
    if (forwardedFor === undefined) return undefined;
    const origin = this.#origins.find(peer ?? "::1", forwardedFor);
    return origin.proxied ? origin : undefined;
  }
}

export class Origins {
  readonly #trusted: readonly IpPrefix[];

  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.flatMap((text) => scanPrefix(text) ?? []);
  }

  /** Reads X-Forwarded-For from the right, through addresses of trusted proxies, up to the first other address. */
  find(peer: string | undefined, forwardedFor: string | undefined): Origin {
    const address = parse(peer ?? "") ?? new Uint8Array(4);
    const proxied = this.#isTrusted(address);
    if (!proxied || forwardedFor === undefined) return originOf(address, proxied);
    let nearest = address;
    for (const hop of forwardedFor.split(",").reverse()) {
      const before = parse(hop.trim());
      if (!before) break;
      nearest = before;
      if (!this.#isTrusted(before)) break;
    }
    return originOf(nearest, proxied);
  }

  #isTrusted(address: Uint8Array): boolean {
    return this.#trusted.some((prefix) => contains(prefix, address));
  }
}

/** Parses an address. Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443`. */
function parse(text: string): Uint8Array | undefined {
  const bare = text.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const octets = scanIp(bare.replace(/%.*$/, ""));
  return octets && withoutMapping(octets);
}

function originOf(address: Uint8Array, proxied: boolean): Origin {
  const text = printIp(address);
  const host = printIp(address.map((octet, at) => (at < 8 ? octet : 0)));
  const bucket = address.length === 16 ? `${host}/64` : text;
  return { address: text, bucket, network: networkOf(address), proxied };
}
