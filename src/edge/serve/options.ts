/** The options of a reply that its query asked for: cookie, server identifier, keepalive, padding. */
import { type Edns, OptionCode } from "../../dns/wire/edns.ts";
import type { Query } from "../../dns/wire/message.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Cookies } from "./cookies.ts";

/** What a query came by: UDP, TCP, and TLS with DNS or HTTP inside. */
export type Transport = "udp" | "tcp" | "tls" | "https";

export interface Offers {
  /** Cookies are left unanswered without it. */
  readonly cookies?: Cookies | undefined;
  /** The identifier that NSID tells (RFC 5001), 64 octets at most; without it the option is ignored. */
  readonly nsid?: Uint8Array | undefined;
  /** Milliseconds for which an idle connection is kept (RFC 7828); not told without it. */
  readonly idle?: number | undefined;
}

/** RFC 8467 section 4.1, in octets. */
export const paddingBlock = 468;

/** Returns whether the query has a valid server cookie: then it comes from the address that it seems to come from. */
export function offerOptions(query: Query, client: Client, transport: Transport, offers: Offers): boolean {
  const { edns } = query;
  if (edns.asked !== 0) offerAsked(edns, transport, offers);
  if (edns.cookieOctets === 0 || !offers.cookies) return false;
  const isValid = offers.cookies.answer(query.packet, edns.cookieAt, edns.cookieOctets, client);
  edns.offer(OptionCode.COOKIE, offers.cookies.reply);
  return isValid;
}

function offerAsked(edns: Edns, transport: Transport, { nsid, idle }: Offers): void {
  if (nsid && edns.asks(OptionCode.NSID)) edns.offer(OptionCode.NSID, nsid);
  // RFC 7828 section 3.3: never over UDP; HTTP has its own ways
  const isStream = transport === "tcp" || transport === "tls";
  if (idle !== undefined && isStream && edns.asks(OptionCode.KEEPALIVE)) {
    const tenths = Math.min(0xffff, Math.floor(idle / 100));
    edns.offer(OptionCode.KEEPALIVE, Uint8Array.of(tenths >>> 8, tenths));
  }
  const isEncrypted = transport === "tls" || transport === "https";
  if (isEncrypted && edns.asks(OptionCode.PADDING)) edns.block = paddingBlock;
}
