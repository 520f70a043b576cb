/** The origin of a request: the peer's address, or the address that trusted proxies report. */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Origin {
  /** Canonical spelling; an IPv4 address mapped into IPv6 is written as IPv4. */
  readonly address: string;
  /** The bucket for rate limits: the address, or the /64 of an IPv6 address. */
  readonly bucket: string;
  /** The peer is a proxy whose X-Forwarded headers are trusted. */
  readonly proxied: boolean;
}

export class Origins {
  readonly #trusted: readonly [Address, number][];

  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((cidr) => (cidr.includes("/") ? ipaddr.parseCIDR(cidr) : whole(cidr)));
  }

  /** Returns the right-most address of X-Forwarded-For that is not a trusted proxy. */
  find(peer: string | undefined, forwardedFor: string | undefined): Origin {
    const address = parse(peer ?? "") ?? ipaddr.parse("0.0.0.0");
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

  #isTrusted(address: Address): boolean {
    return this.#trusted.some(([network, bits]) => network.kind() === address.kind() && address.match([network, bits]));
  }
}

function whole(text: string): [Address, number] {
  const address = ipaddr.parse(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

/** Parses an address. Some proxies write `192.0.2.1:443` or `[2001:db8::1]:443`. */
function parse(text: string): Address | undefined {
  const bare = text.replace(/^\[(.*)\](?::\d+)?$/, "$1").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  const address = bare.replace(/%.*$/, "");
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.isValid(address) ? unmapped(ipaddr.IPv6.parse(address)) : undefined;
}

const unmapped = (address: ipaddr.IPv6) => (address.isIPv4MappedAddress() ? address.toIPv4Address() : address);

function originOf(address: Address, proxied: boolean): Origin {
  const text = address.toString();
  const bucket = address instanceof ipaddr.IPv6 ? `${address.parts.slice(0, 4).map(hex).join(":")}::/64` : text;
  return { address: text, bucket, proxied };
}

const hex = (part: number) => part.toString(16);
