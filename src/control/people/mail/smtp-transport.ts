/** Sends mails through an SMTP server (RFC 5321), with TLS unless the server is on this machine. */
import { isLoopback } from "../../../lib/address/egress.ts";
import type { SmtpServer } from "../../../lib/text/email.ts";
import { fieldsOf, MailRefused, type MailTransport } from "./transport.ts";

/** Milliseconds for connecting, and for each reply. */
const patience = 15_000;

export const smtpTransport = (server: SmtpServer, from: string): MailTransport => ({
  async send(id, message, signal) {
    const { createTransport } = await import("nodemailer");
    const { host, port, secure, auth } = server;
    const transport = createTransport({
      ...{ host, port, secure, ...tlsOf(server) },
      ...(auth ? { auth: { ...auth } } : {}),
      ...{ connectionTimeout: patience, greetingTimeout: patience, socketTimeout: patience, dnsTimeout: patience },
    });
    try {
      await transport.sendMail({ ...fieldsOf(from, id, message), envelope: { from, to: message.to }, signal });
    } catch (error) {
      throw refusalOf(error, server);
    } finally {
      transport.close();
    }
  },
});

/** Sign-in links and passwords cross a network in clear text only if the operator allows it. */
function tlsOf({ host, secure, isTlsOptional }: SmtpServer) {
  const isLocal = host === "localhost" || isLoopback(host);
  if (isLocal && !secure) return { ignoreTLS: true };
  return isTlsOptional ? { tls: { rejectUnauthorized: false } } : { requireTLS: true };
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function refusalOf(error: unknown, { auth, host, port }: SmtpServer): MailRefused {
  const name = `${host}:${port}`;
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError;
  if (code === "EAUTH") return new MailRefused(`${name} refuses the user or password (${responseCode})`, general);
  if (responseCode === undefined || (code !== "EENVELOPE" && code !== "EMESSAGE")) {
    const reason = error instanceof Error ? error.message : String(error);
    return new MailRefused(`${name}: ${withoutSecrets(reason, auth)}`, { isGeneral: serverErrors.has(code ?? "") });
  }
  // RFC 5321 section 4.2.1: 5yz is permanent, 4yz transient
  const isFinal = responseCode >= 500;
  return new MailRefused(`${name}: ${withoutSecrets(response ?? "", auth)}`, { isFinal });
}

const general = { isGeneral: true };
/** nodemailer's codes of errors that would affect other mails as well. The last one is a timeout. */
const serverErrors = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "ETLS", "EPROTOCOL", "ENOAUTH", "EABORT"]);

/** A server's reply may repeat the credentials, in plain text or in base64. */
function withoutSecrets(text: string, auth: SmtpServer["auth"]): string {
  const { user = "", pass = "" } = auth ?? {};
  const base64 = (secret: string) => Buffer.from(secret).toString("base64");
  const secrets = [user, pass].filter((secret) => secret !== "").flatMap((secret) => [secret, base64(secret)]);
  return [base64(`\0${user}\0${pass}`), ...secrets]
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
    .slice(0, 200);
}
