/** Where a request comes from: the peer, or what trusted proxies say about it. */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Origin {
  /** Canonical spelling; IPv4 also where it came mapped into IPv6. */
  readonly address: string;
  /** What rate limits count: the address, or the /64 of an IPv6 address. */
  readonly bucket: string;
  /** The peer is a proxy whose X-Forwarded headers are believed. */
  readonly proxied: boolean;
}

export class Origins {
  readonly #trusted: readonly [Address, number][];

  constructor(trustedProxies: readonly string[]) {
    this.#trusted = trustedProxies.map((cidr) => (cidr.includes("/") ? ipaddr.parseCIDR(cidr) : whole(cidr)));
  }

  /** The right-most address of X-Forwarded-For that is not a trusted proxy's own. */
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

/** Also `192.0.2.1:443` and `[2001:db8::1]:443`, which some proxies write. */
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
