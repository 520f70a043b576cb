/** The addresses to which accounts can make this service connect: public ones, and those that the operator allows. */
import { networkInterfaces } from "node:os";
import { invalid } from "../problem.ts";
import { HostAddresses, type ResolveHost } from "./host-addresses.ts";
import { contains, type IpPrefix, printIp, scanIp, scanPrefix } from "./ip.ts";

export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

export interface EgressOptions {
  /** Allowed prefixes besides the public addresses. */
  readonly allow: readonly string[];
  /** An account that may reach this machine and private networks as well. */
  readonly privateFor?: string | undefined;
  /** The endpoints of the service itself and its store, by address or name; never allowed. */
  readonly own: readonly Endpoint[];
  /** Finds the addresses of names; default: the system's resolver. */
  readonly resolve?: ResolveHost;
}

/** RFC 6890 and its successors: addresses that are not globally reachable, or have a special purpose. */
const special = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ...["224.0.0.0/3", "::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64"],
  ...["2001::/32", "2002::/16", "5f00::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"],
].map((text) => scanPrefix(text)!);

/** The machine itself and private networks. */
const privateNetworks = ["127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"].map(
  (text) => scanPrefix(text)!,
);

export class Egress {
  readonly #allowed: readonly IpPrefix[];
  readonly #privateFor: string | undefined;
  readonly #own: readonly Endpoint[];
  readonly #hosts: HostAddresses;

  constructor({ allow, privateFor, own, resolve }: EgressOptions) {
    this.#allowed = allow.flatMap((text) => scanPrefix(text) ?? []);
    this.#privateFor = privateFor;
    this.#own = own;
    this.#hosts = new HostAddresses(resolve);
  }

  /** Throws `invalid` for an endpoint that the account may not use; `field` is its field in the request. */
  async assertOpen(account_id: string, { address, port }: Endpoint, field: string): Promise<void> {
    const octets = scanIp(address);
    if (!octets) throw invalid(`${field}: "${address}" is not an IP address`, { field });
    if (await this.#isOwn(port, octets)) {
      throw invalid(`${field}: ${address} port ${port} is this service itself`, { field });
    }
    const isIn = (prefixes: readonly IpPrefix[]) => prefixes.some((prefix) => contains(prefix, octets));
    if (!isIn(special) || isIn(this.#allowed)) return;
    if (account_id === this.#privateFor && isIn(privateNetworks)) return;
    throw invalid(`${field}: ${address} is not a public address, and --egress-allow does not include it`, { field });
  }

  async #isOwn(port: number, octets: Uint8Array): Promise<boolean> {
    const samePort = this.#own.filter((own) => own.port === port);
    const found = await Promise.all(samePort.map(({ address }) => this.#addressesOf(address)));
    return found.flat().some((ours) => isSame(ours, octets) || (ours.every((octet) => octet === 0) && isLocal(octets)));
  }

  async #addressesOf(host: string): Promise<Uint8Array[]> {
    const octets = scanIp(host);
    if (octets || host === "") return octets ? [octets] : [];
    const addresses = await this.#hosts.of(host);
    return addresses.flatMap((text) => scanIp(text.replace(/%.*/, "")) ?? []);
  }
}

const isLocal = (octets: Uint8Array) =>
  isLoopback(printIp(octets)) ||
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .some(({ address }) => isSame(scanIp(address.replace(/%.*/, "")), octets));

export const isLoopback = (address: string) =>
  address === "::1" || contains(loopback, scanIp(address) ?? new Uint8Array(0));

const loopback = scanPrefix("127.0.0.0/8")!;

const isSame = (a: Uint8Array | undefined, b: Uint8Array) =>
  a !== undefined && a.length === b.length && a.every((octet, i) => octet === b[i]);
