/** Queries about a whole zone: a primary's notice that it has changed, and requests to transfer it. */
import type { NameKey } from "../../answer/image/memory/key.ts";
import type { ImageReader } from "../../answer/image/reader.ts";
import { ExtendedError, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { headerOctets, type Query } from "../../dns/wire/message.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Incoming } from "../../sync/peers.ts";
import type { Transport } from "./options.ts";
import type { KnownKey, PeerBook } from "./peer-book.ts";
import { zoneOf } from "./signing.ts";

/** The only view yet. */
const view = 0;

export class ZoneRequests {
  readonly #image: ImageReader;
  readonly #peers: () => PeerBook;
  readonly #onNotify: (zone: Incoming) => void;
  readonly #name: NameKey;

  constructor(image: ImageReader, peers: () => PeerBook, onNotify: (zone: Incoming) => void) {
    this.#image = image;
    this.#peers = peers;
    this.#onNotify = onNotify;
    this.#name = image.key();
  }

  /** RFC 1996 section 3: the RCODE, and for a primary's notice the zone is looked at soon. */
  notify(query: Query, client: Client, key: KnownKey | undefined): number {
    if (query.qtype !== TypeCode.SOA) return Rcode.FORMERR;
    const zone = this.#peers().mayNotify(zoneOf(query), client, key);
    if (!zone) return because(query, ExtendedError.PROHIBITED, Rcode.REFUSED);
    this.#onNotify(zone);
    return Rcode.NOERROR;
  }

  /**
   * The RCODE of a request for a transfer that is not answered with one. Over UDP, whoever may transfer a zone is told
   * its SOA record instead (RFC 1995 section 2): the query is one for it from here on.
   */
  transfer(query: Query, client: Client, transport: Transport, key: KnownKey | undefined): number {
    if (transport === "udp" && query.qtype === TypeCode.AXFR) {
      return because(query, ExtendedError.NOT_SUPPORTED, Rcode.NOTIMP);
    }
    if (transport === "udp" && this.#peers().mayTransfer(zoneOf(query), client, key)) {
      query.qtype = TypeCode.SOA;
      return Rcode.NOERROR;
    }
    // RFC 5936 section 2.2.1
    if (!this.#isZone(query)) return because(query, ExtendedError.NOT_AUTHORITATIVE, Rcode.NOTAUTH);
    return because(query, ExtendedError.PROHIBITED, Rcode.REFUSED);
  }

  /** Whether a question for an SOA record comes from one who may transfer the zone, and is answered even if it is hidden. */
  admits(query: Query, client: Client, key: KnownKey | undefined): boolean {
    return this.#peers().mayTransfer(zoneOf(query), client, key) !== undefined;
  }

  #isZone({ packet, start }: Query): boolean {
    this.#name.load(packet, start + headerOctets);
    return this.#image.findZone(view, this.#name, 0) !== 0 && this.#image.apex === 0;
  }
}

function because({ edns }: Query, code: number, rcode: number): number {
  edns.extendedError = code;
  return rcode;
}
