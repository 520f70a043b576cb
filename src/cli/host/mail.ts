/** The configuration of mails: the URL in their links, the server and the sender. */
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { printEndpoint, reachable } from "../../config/values.ts";
import { invalid } from "../../lib/problem.ts";
import { mailAddress } from "../../lib/text/email.ts";

/** The URL is never taken from a request's Host header: the sender could then choose where links in mails lead. */
export const publicUrlOf = (config: Config) => config.publicUrl ?? `http://${printEndpoint(reachable(config.http))}`;

export function mailOf(config: Config) {
  const publicUrl = publicUrlOf(config);
  const { smtp } = config;
  const mailFrom = config.mailFrom ?? mailAddress(`fairlead@${new URL(publicUrl).hostname}`);
  if (smtp && mailFrom === undefined) {
    throw invalid("--mail-from is required with --smtp if --public-url has no host name", { key: "--mail-from" });
  }
  return { publicUrl, smtp, mailFrom: mailFrom ?? "fairlead@fairlead.test" };
}

/** How mails are sent, as text without credentials. */
export const mailDelivery = ({ smtp, data }: Config) =>
  smtp
    ? `through ${printEndpoint({ address: smtp.host, port: smtp.port })}`
    : `written to files in ${join(data, "outbox")} (no --smtp)`;
