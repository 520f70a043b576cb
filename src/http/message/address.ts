/** The origin of a request: the peer's address, or the address that trusted proxies report. */
import { contains, type IpPrefix, printIp, scanIp, scanPrefix, withoutMapping } from "../../lib/address/ip.ts";

export interface Origin {
  /** Canonical spelling; an IPv4 address mapped into IPv6 is written as IPv4. */
  readonly address: string;
  /** The bucket for rate limits: the address, or the /64 of an IPv6 address. */
  readonly bucket: string;
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

  /** The address that takes the place of a connection; undefined for a proxy. */
  ofConnection(peer: string | undefined): string | undefined {
    const { proxied, bucket } = this.#origins.find(peer ?? "::1", undefined);
    return proxied ? undefined : bucket;
  }

  /** The sender of a request that a proxy passes on; undefined if no proxy did. */
  ofRequest(peer: string | undefined, forwardedFor: string | undefined): string | undefined {
    if (forwardedFor === undefined) return undefined;
    const { proxied, bucket } = this.#origins.find(peer ?? "::1", forwardedFor);
    return proxied ? bucket : undefined;
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
  const network = printIp(address.map((octet, at) => (at < 8 ? octet : 0)));
  return { address: text, bucket: address.length === 16 ? `${network}/64` : text, proxied };
}
