/** A worker's side of the tail: the zones that are watched, and how many of their queries it still copies this second. */
import { firstView } from "../../answer/image/memory/layout.ts";
import type { ImageReader } from "../../answer/image/reader.ts";
import { typeCoded } from "../../dns/type-names.ts";
import { rcodeName } from "../../dns/wire/constants.ts";
import { headerOctets } from "../../dns/wire/message.ts";
import { lengthOfName, nameFromApi, nameToApi } from "../../dns/wire/name.ts";
import { printIp } from "../../lib/address/ip.ts";
import type { ClientFacts } from "../../lib/facts.ts";
import type { TailQuery } from "../../sync/usage.ts";
import type { Transport } from "../serve/options.ts";

/** Queries of a zone that a worker copies in a second. */
const mostASecond = 20;
const second = 1000;

interface WatchedZone {
  readonly zone: string;
  left: number;
}

export interface Asked {
  readonly query: Uint8Array;
  readonly from: number;
  readonly qtype: number;
  /** Undefined for a query without an answer. */
  readonly rcode: number | undefined;
  readonly transport: Transport;
  readonly address: Uint8Array;
  /** The place of that address in the geo files. */
  readonly facts: Pick<ClientFacts, "country" | "asn">;
}

export class Watched {
  readonly #showsAddresses: boolean;
  #zones: readonly string[] = [];
  /** By number in the image. */
  readonly #byNumber = new Map<number, WatchedZone>();
  /** When the zones are looked up again, and copies may be made again. */
  #next = 0;

  constructor(showsAddresses: boolean) {
    this.#showsAddresses = showsAddresses;
  }

  set(zones: readonly string[]): void {
    this.#zones = zones;
    this.#byNumber.clear();
    this.#next = 0;
  }

  /** Must be called before each batch, inside the image. `now` in milliseconds. */
  begin(image: ImageReader, now: number): void {
    if (this.#zones.length === 0 || now < this.#next) return;
    this.#next = now + second;
    this.#byNumber.clear();
    const key = image.key();
    for (const zone of this.#zones) {
      key.load(nameFromApi(zone), 0);
      const entry = image.findZone(firstView, key, 0);
      if (entry !== 0 && image.apex === 0) this.#byNumber.set(image.numberOf(entry), { zone, left: mostASecond });
    }
  }

  /** A copy of a query for the zone with this number, if it is watched. */
  copy(number: number, now: number, asked: () => Asked): TailQuery | undefined {
    if (this.#byNumber.size === 0) return undefined;
    const watched = this.#byNumber.get(number);
    if (watched === undefined || watched.left === 0) return undefined;
    watched.left--;
    const { query, from, qtype, rcode, transport, address, facts } = asked();
    const at = from + headerOctets;
    return {
      ...{ zone: watched.zone, at: now, transport },
      name: nameToApi(query.slice(at, at + lengthOfName(query, at))),
      type: typeCoded(qtype).name,
      rcode: rcode === undefined ? null : rcodeName(rcode),
      client: this.#showsAddresses ? printIp(address) : networkText(address),
      country: facts.country ?? null,
      asn: facts.asn ?? null,
    };
  }
}

/** The /24 or /56 of an address. */
function networkText(address: Uint8Array): string {
  const octets = address.length === 4 ? 3 : 7;
  const network = new Uint8Array(address.length);
  network.set(address.subarray(0, octets));
  return `${printIp(network)}/${octets * 8}`;
}
