/** E-mail addresses, and texts that may stand in a header, as people write them. */
import { domainToASCII } from "node:url";

/**
 * The form that mail servers take, its domain in A-labels (RFC 5890); undefined for what is not exactly one address.
 * Quoted local parts and those beyond ASCII (RFC 6531) are left out: too few servers take them.
 */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (local.length > 64 || !dotAtom.test(local) || !spelling.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  // RFC 5321 section 4.5.3.1: 256 octets, of which a path's brackets are two
  return hostName.test(ascii) && local.length + 1 + ascii.length <= 254 ? `${local}@${ascii}` : undefined;
}

/** Whether a text is one line that reads as it is stored: no controls, no line breaks, nothing that turns its direction. */
export const isOneLine = (text: string): boolean =>
  !/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);

/** RFC 5322 section 3.2.3. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** What `domainToASCII` would decode or read as an address of the network is kept from it. */
const spelling = /^[\p{L}\p{M}\p{N}.-]+$/u;
const hostName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A server that takes mails (RFC 5321). */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet; otherwise by STARTTLS. */
  readonly secure: boolean;
  /** Goes on without TLS where the server has none, and takes any certificate. */
  readonly isTlsOptional: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}
