/** A client as filters see it; records the most bits of the address that the facts read so far can depend on. */
import { type Address, type Block, Cuts, has } from "./address.ts";
import type { FactName, GeoModel, Known } from "./geo.ts";

/** The facts that answers depend on: those of the geo files, and two that follow from the address alone. */
export type ReadName = FactName | "prefix" | "network";

export class ModelClient {
  depth = 0;
  readonly reads = new Set<ReadName>();
  readonly address: Address;
  readonly #geo: GeoModel;
  readonly #known: Known;

  constructor(geo: GeoModel, address: Address) {
    this.address = address;
    this.#geo = geo;
    this.#known = geo.find(address);
  }

  country(): string | undefined {
    this.#note("country");
    return this.#known.country;
  }

  subdivision(): string | undefined {
    this.#note("subdivision");
    return this.#known.subdivision;
  }

  georegion(): string | undefined {
    this.#note("georegion");
    return this.#known.georegion;
  }

  asn(): number | undefined {
    this.#note("asn");
    return this.#known.asn;
  }

  coordinates(): { readonly latitude: number; readonly longitude: number } | undefined {
    this.#note("coordinates");
    const { latitude, longitude } = this.#known;
    return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
  }

  isIn(blocks: readonly Block[]): boolean {
    this.#note("prefix", new Cuts(this.address.family, blocks).depth(this.address.value));
    return blocks.some((block) => has(block, this.address));
  }

  /** Notes that the client's address or network decides something. */
  network(byNetwork: boolean): void {
    const bits = this.address.family === 4 ? { all: 32, network: 24 } : { all: 128, network: 56 };
    this.#note("network", byNetwork ? bits.network : bits.all);
  }

  #note(name: ReadName, bits = this.#depthOf(name)): void {
    this.reads.add(name);
    this.depth = Math.max(this.depth, bits);
  }

  #depthOf = (name: ReadName) => (name === "prefix" || name === "network" ? 0 : this.#geo.depth(name, this.address));
}
