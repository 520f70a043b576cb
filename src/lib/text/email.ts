/** E-mail addresses and header texts from users. */
import { domainToASCII } from "node:url";

/**
 * Returns the address in the form for mail servers, with its domain in A-labels (RFC 5890); undefined for text that is
 * not exactly one address. Quoted and non-ASCII local parts (RFC 6531) are refused: too few servers accept them.
 */
export function mailAddress(text: string): string | undefined {
  const at = text.lastIndexOf("@");
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)];
  if (local.length > 64 || !dotAtom.test(local) || !spelling.test(domain)) return undefined;
  const ascii = domainToASCII(domain);
  // RFC 5321 section 4.5.3.1: 256 octets, of which a path's brackets are two
  return hostName.test(ascii) && local.length + 1 + ascii.length <= 254 ? `${local}@${ascii}` : undefined;
}

/** Whether a text is one line that is displayed as it is stored: no controls, line breaks or changes of direction. */
export const isOneLine = (text: string): boolean =>
  !/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text);

/** RFC 5322 section 3.2.3. */
const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
/** The input for `domainToASCII`, without text that the function would decode or read as a network address. */
const spelling = /^[\p{L}\p{M}\p{N}.-]+$/u;
const hostName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** A mail server (RFC 5321). */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first octet; otherwise STARTTLS. */
  readonly secure: boolean;
  /** Continues without TLS if the server has none, and accepts any certificate. */
  readonly isTlsOptional: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | undefined;
}
