/** The EDNS options that a query requests for its reply: cookie, server identifier, keepalive, padding. */
import { type Edns, OptionCode } from "../../dns/wire/edns.ts";
import type { Query } from "../../dns/wire/message.ts";
import type { Opt } from "../../dns/wire/opt.ts";
import type { Client } from "../../net/socket/service.ts";
import type { Cookies } from "./cookies.ts";

/** How a query arrived: over UDP, TCP, or TLS with DNS or HTTP inside. */
export type Transport = "udp" | "tcp" | "tls" | "https";

export interface Offers {
  /** Without it, cookies are ignored. */
  readonly cookies?: Cookies | undefined;
  /** The identifier in the NSID option (RFC 5001), at most 64 octets; without it the option is ignored. */
  readonly nsid?: Uint8Array | undefined;
  /** Milliseconds for which an idle connection is kept (RFC 7828); without it the option is ignored. */
  readonly idle?: number | undefined;
}

/** Block size of padded replies, in octets (RFC 8467 section 4.1). */
export const paddingBlock = 468;

/**
 * Adds the options that the query asks for. Returns whether the query has a valid server cookie, which proves that it
 * comes from its source address.
 */
export function offerOptions(opt: Opt, query: Query, client: Client, transport: Transport, offers: Offers): boolean {
  const { edns } = query;
  if (edns.asked !== 0) offerAsked(opt, edns, transport, offers);
  if (edns.cookieOctets === 0 || !offers.cookies) return false;
  const isValid = offers.cookies.answer(query.packet, edns.cookieAt, edns.cookieOctets, client);
  opt.offer(OptionCode.COOKIE, offers.cookies.reply);
  return isValid;
}

function offerAsked(opt: Opt, edns: Edns, transport: Transport, { nsid, idle }: Offers): void {
  if (nsid && edns.asks(OptionCode.NSID)) opt.offer(OptionCode.NSID, nsid);
  // RFC 7828 section 3.3: never over UDP; HTTP has its own keepalive
  const isStream = transport === "tcp" || transport === "tls";
  if (idle !== undefined && isStream && edns.asks(OptionCode.KEEPALIVE)) {
    const tenths = Math.min(0xffff, Math.floor(idle / 100));
    opt.offer(OptionCode.KEEPALIVE, Uint8Array.of(tenths >>> 8, tenths));
  }
  const isEncrypted = transport === "tls" || transport === "https";
  if (isEncrypted && edns.asks(OptionCode.PADDING)) opt.block = paddingBlock;
}
