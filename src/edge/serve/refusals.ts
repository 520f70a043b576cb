/** Queries that get an RCODE without a look-up: other opcodes, malformed messages, NOTIFY and transfer requests. */
import { Class, ExtendedError, Opcode, Rcode, TypeCode } from "../../dns/wire/constants.ts";
import type { Query, Verdict } from "../../dns/wire/message.ts";
import type { Opt } from "../../dns/wire/opt.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Transport } from "./options.ts";
import type { KnownKey } from "./peer-book.ts";
import type { ZoneRequests } from "./zone-requests.ts";

/** The sender of a query: one object, filled anew for each query. */
export interface Asker {
  client: Client;
  transport: Transport;
  /** The key that signed the query. */
  key: KnownKey | undefined;
}

export class Refusals {
  readonly #opt: Opt;
  readonly #zones: ZoneRequests;
  readonly #hasCookies: boolean;

  /** `opt` is the OPT record of the reply. */
  constructor(opt: Opt, zones: ZoneRequests, hasCookies: boolean) {
    this.#opt = opt;
    this.#zones = zones;
    this.#hasCookies = hasCookies;
  }

  /** The RCODE of the refusal; NOERROR for an ordinary question, a valid NOTIFY, or a cookie without a question. */
  rcodeOf(query: Query, verdict: Verdict, { client, transport, key }: Readonly<Asker>): number {
    const { edns, opcode } = query;
    const opt = this.#opt;
    if (opcode !== Opcode.QUERY && opcode !== Opcode.NOTIFY) {
      // RFC 8906 section 8.1.4: the rest of the message may mean anything, so none of it is copied
      query.hasQuestion = false;
      query.flags = 0;
      return opt.explain(ExtendedError.NOT_SUPPORTED, Rcode.NOTIMP);
    }
    if (verdict === "malformed") return Rcode.FORMERR;
    if (edns.present && edns.version > 0) return Rcode.BADVERS;
    if (edns.malformed) return Rcode.FORMERR;
    if (verdict === "empty") return this.#empty(query);
    if (opcode === Opcode.NOTIFY) return this.#zones.notify(query, client, key);
    if (query.qclass !== Class.IN) return opt.explain(ExtendedError.NOT_AUTHORITATIVE, Rcode.REFUSED);
    return this.#type(query, client, transport, key);
  }

  /** RFC 7873 section 5.4: without a question, a cookie can be asked for. */
  #empty({ opcode, edns }: Query): number {
    return this.#hasCookies && opcode === Opcode.QUERY && edns.cookieOctets > 0 ? Rcode.NOERROR : Rcode.FORMERR;
  }

  #type(query: Query, client: Client, transport: Transport, key: KnownKey | undefined): number {
    switch (query.qtype) {
      case TypeCode.AXFR:
      case TypeCode.IXFR:
        return this.#zones.transfer(query, client, transport, key);
      case TypeCode.NXNAME:
      case TypeCode.OPT:
      case TypeCode.TSIG:
      case TypeCode.TKEY:
        return this.#opt.explain(ExtendedError.INVALID_QUERY_TYPE, Rcode.FORMERR);
      default:
        return Rcode.NOERROR;
    }
  }
}
