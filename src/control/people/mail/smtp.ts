/** Mails by an SMTP server (RFC 5321), with TLS unless it is on this machine. */
import { isLoopback } from "../../../lib/address/egress.ts";
import type { SmtpServer } from "../../../lib/text/email.ts";
import { type Carrier, fieldsOf, MailRefused } from "./carrier.ts";

/** Milliseconds for connecting, and for each answer. */
const patience = 15_000;

export const smtpCarrier = (server: SmtpServer, from: string): Carrier => ({
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

/** Links that let people in, and passwords, do not cross a network in clear text unless the operator says so. */
function tlsOf({ host, secure, isTlsOptional }: SmtpServer) {
  const isHere = host === "localhost" || isLoopback(host);
  if (isHere && !secure) return { ignoreTLS: true };
  return isTlsOptional ? { tls: { rejectUnauthorized: false } } : { requireTLS: true };
}

interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

function refusalOf(error: unknown, { auth, host, port }: SmtpServer): MailRefused {
  const place = `${host}:${port}`;
  const { code, responseCode, response } = (error instanceof Error ? error : {}) as SmtpError;
  if (code === "EAUTH") return new MailRefused(`${place} refuses the user or password (${responseCode})`, general);
  if (responseCode === undefined || (code !== "EENVELOPE" && code !== "EMESSAGE")) {
    const reason = error instanceof Error ? error.message : String(error);
    return new MailRefused(`${place}: ${withoutSecrets(reason, auth)}`, { isGeneral: ofServer.has(code ?? "") });
  }
  // RFC 5321 section 4.2.1: 5yz is for good, 4yz for now
  const isFinal = responseCode >= 500;
  return new MailRefused(`${place}: ${withoutSecrets(response ?? "", auth)}`, { isFinal });
}

const general = { isGeneral: true };
/** What nodemailer calls faults that other mails would meet as well; the last one is a server that took too long. */
const ofServer = new Set(["ECONNECTION", "ETIMEDOUT", "ESOCKET", "EDNS", "ETLS", "EPROTOCOL", "ENOAUTH", "EABORT"]);

/** A server may repeat what it was told, as it was told. */
function withoutSecrets(text: string, auth: SmtpServer["auth"]): string {
  const { user = "", pass = "" } = auth ?? {};
  const base64 = (secret: string) => Buffer.from(secret).toString("base64");
  const told = [user, pass].filter((secret) => secret !== "").flatMap((secret) => [secret, base64(secret)]);
  return [base64(`\0${user}\0${pass}`), ...told]
    .reduce((rest, secret) => rest.replaceAll(secret, "***"), text)
    .slice(0, 200);
}
