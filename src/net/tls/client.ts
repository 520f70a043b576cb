/** Connections to servers of DNS over TLS for zone transfers (RFC 9103): TLS 1.3, with authentication of the server. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { checkServerIdentity, connect, type TLSSocket } from "node:tls";
import { dnsOverTls } from "./tls.ts";

/** The required proof of a server's identity; none without a name and pins. */
export interface ServerAuthentication {
  /** The certificate must be for this name and from a trusted authority (RFC 8310 section 8.1). */
  readonly name?: string;
  /** The trusted authorities in PEM, instead of the default authorities. */
  readonly ca?: string;
  /** The certificate must have one of these keys: SHA-256 of SubjectPublicKeyInfo in base64 (RFC 7858 section 4.2). */
  readonly pins: readonly string[];
}

/** Connects. `openTls` must be called with the socket before anything is sent. */
export const beginTls = (host: string, port: number, { name, ca }: ServerAuthentication): TLSSocket =>
  connect({
    host,
    port,
    ALPNProtocols: [dnsOverTls],
    minVersion: "TLSv1.3",
    ...(name === undefined ? {} : { servername: name }),
    ...(ca === undefined ? {} : { ca }),
    // checked in `openTls`
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
  });

/** Resolves once the server is authenticated. Throws an error with the reason otherwise. */
export async function openTls(socket: TLSSocket, authentication: ServerAuthentication): Promise<void> {
  await once(socket, "secureConnect");
  if (socket.alpnProtocol !== dnsOverTls) throw new Error(`does not agree on DNS over TLS (ALPN "${dnsOverTls}")`);
  const { name, pins } = authentication;
  if (name !== undefined) assertNamed(socket, name);
  if (pins.length > 0) assertPinned(socket, pins);
}

function assertNamed(socket: TLSSocket, name: string): void {
  if (!socket.authorized) throw new Error(distrustOf(String(socket.authorizationError)));
  const certificate = socket.getPeerCertificate();
  if (!checkServerIdentity(name, certificate)) return;
  const names = certificate.subjectaltname ?? "no name";
  throw new Error(`has a certificate for ${names.slice(0, 200)}, not for ${name}`);
}

function assertPinned(socket: TLSSocket, pins: readonly string[]): void {
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: "spki", format: "der" });
  const pin = key && createHash("sha256").update(key).digest("base64");
  if (pin === undefined || !pins.includes(pin))
    throw new Error(`has a certificate with the key ${pin}, which is not one of the pins`);
}

/** Messages for the library's codes of untrusted certificates. */
const distrusts: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has a certificate that has expired",
  CERT_NOT_YET_VALID: "has a certificate that is not valid yet",
};

const distrustOf = (code: string) =>
  distrusts[code] ?? `has a certificate that is not from a trusted authority (${code})`;

/** Messages for the library's codes of TLS failures. */
const failures: readonly (readonly [code: RegExp, reason: string])[] = [
  [/^ERR_SSL_(TLSV1_ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL)$/, "does not speak TLS 1.3"],
  [/NO_APPLICATION_PROTOCOL/, `does not agree on DNS over TLS (ALPN "${dnsOverTls}")`],
  [/^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE)$/, "does not speak TLS on this port"],
  [/CERTIFICATE_REQUIRED/, "requires a client certificate"],
];

/** Returns errors of TLS with a readable message, and other errors unchanged. */
export function explainTls(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  const code = String(error.code);
  const [, reason] = failures.find(([known]) => known.test(code)) ?? [];
  if (reason !== undefined) return new Error(reason);
  return code.startsWith("ERR_SSL_") ? new Error(`fails in TLS (${code})`) : error;
}
