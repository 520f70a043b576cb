/** Mails of a service without an SMTP server, which writes them to its data directory. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";

export const readMail = (octets: Buffer | string): Promise<Email> => PostalMime.parse(octets);

/** The mails to one recipient, the oldest first; the names of unfinished files begin with a dot. */
export async function mailsTo(directory: string, recipient: string): Promise<Email[]> {
  const outbox = join(directory, "outbox");
  const names = existsSync(outbox) ? readdirSync(outbox).filter((name) => /^[^.].*\.eml$/.test(name)) : [];
  const mails = await Promise.all(names.toSorted().map((name) => readMail(readFileSync(join(outbox, name)))));
  return mails.filter(({ to }) => to?.some(({ address }) => address === recipient));
}
