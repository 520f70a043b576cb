/** Queries about a whole zone: NOTIFY from a primary, and transfer requests. */
import type { NameKey } from "../../answer/image/memory/key.ts";
import type { ImageReader } from "../../answer/image/reader.ts";
import { ExtendedError, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import { headerOctets, type Query } from "../../dns/wire/message.ts";
import type { Opt } from "../../dns/wire/opt.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Incoming } from "../../sync/peers.ts";
import type { Transport } from "./options.ts";
import type { KnownKey, PeerBook } from "./peer-book.ts";
import { zoneOf } from "./signing.ts";

/** The only view so far. */
const view = 0;

export class ZoneRequests {
  readonly #image: ImageReader;
  readonly #peers: () => PeerBook;
  readonly #onNotify: (zone: Incoming) => void;
  readonly #opt: Opt;
  readonly #name: NameKey;

  /** `opt` is the OPT record of the reply. */
  constructor(image: ImageReader, opt: Opt, peers: () => PeerBook, onNotify: (zone: Incoming) => void) {
    this.#image = image;
    this.#opt = opt;
    this.#peers = peers;
    this.#onNotify = onNotify;
    this.#name = image.key();
  }

  /** The RCODE for a NOTIFY (RFC 1996 section 3); `onNotify` gets the zone of a valid one. */
  notify(query: Query, client: Client, key: KnownKey | undefined): number {
    if (query.qtype !== TypeCode.SOA) return Rcode.FORMERR;
    const zone = this.#peers().mayNotify(zoneOf(query), client, key);
    if (!zone) return this.#opt.explain(ExtendedError.PROHIBITED, Rcode.REFUSED);
    this.#onNotify(zone);
    return Rcode.NOERROR;
  }

  /**
   * The RCODE of a refused transfer request. Over UDP, a client that may transfer the zone gets its SOA record (RFC 1995
   * section 2): the query becomes an SOA query.
   */
  transfer(query: Query, client: Client, transport: Transport, key: KnownKey | undefined): number {
    if (transport === "udp" && query.qtype === TypeCode.AXFR) {
      return this.#opt.explain(ExtendedError.NOT_SUPPORTED, Rcode.NOTIMP);
    }
    if (transport === "udp" && this.#peers().mayTransfer(zoneOf(query), client, key)) {
      query.qtype = TypeCode.SOA;
      return Rcode.NOERROR;
    }
    // RFC 5936 section 2.2.1
    if (!this.#isZone(query)) return this.#opt.explain(ExtendedError.NOT_AUTHORITATIVE, Rcode.NOTAUTH);
    return this.#opt.explain(ExtendedError.PROHIBITED, Rcode.REFUSED);
  }

  /** Whether a client may transfer the zone: it gets the zone's SOA record even if the zone is hidden. */
  admits(query: Query, client: Client, key: KnownKey | undefined): boolean {
    return this.#peers().mayTransfer(zoneOf(query), client, key) !== undefined;
  }

  #isZone({ packet, start }: Query): boolean {
    this.#name.load(packet, start + headerOctets);
    return this.#image.findZone(view, this.#name, 0) !== 0 && this.#image.apex === 0;
  }
}
