/** The queue of mails: rows that belong to a write, so that a mail is sent if and only if its write is committed. */

import { newId } from "../../../lib/ids.ts";
import { limited } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { mailAddress } from "../../../lib/text/email.ts";
import type { Ctx } from "../../write/context.ts";
import { hasLink, type Letter, type Message, messageOf } from "./letter.ts";
import { deleteLinkMail, insertMail, listNotices, type MailRow } from "./store.ts";

/** The resource that a mail is about; the activity log reports there if the mail cannot be sent. */
export interface About {
  readonly resource_type: string;
  readonly resource_id: string;
}

/** The maximum number of waiting notices to a user when a change of the address copies them. */
const mostNotices = 100;

type MailCtx = Pick<Ctx, "db" | "account_id" | "secrets" | "now" | "afterCommit">;

export async function sendMail(ctx: MailCtx, letter: Letter, about: About): Promise<void> {
  const { db, account_id, secrets, now, afterCommit } = ctx;
  const when = { attempts: 0, created: now, next_try: now };
  const rest = { account_id, gives_access: hasLink(letter), ...about, ...when };
  await insertMail(db, { ...rest, ...sealed(secrets, messageOf(letter)) });
  afterCommit("mail");
}

/**
 * Adapts the waiting mails of a user whose address changes. Mails with links are deleted. Notices are sent to both
 * addresses, since either may belong to another person; a text that already waits for the new address is not repeated.
 */
export async function redirectMail(ctx: MailCtx, resource_id: string, from: string, to: string): Promise<void> {
  const { db, account_id, secrets } = ctx;
  await deleteLinkMail(db, account_id, resource_id);
  const [before, recipient] = [mailAddress(from), mailAddress(to)];
  if (before === undefined || recipient === undefined) return;
  const notices = await listNotices(db, account_id, resource_id);
  const messages = notices.map((row) => ({ row, message: openMail(secrets, row) }));
  const texts = new Set(messages.filter(({ row }) => row.recipient === recipient).map(({ message }) => message.text));
  let waiting = notices.length;
  for (const { row, message } of messages) {
    if (row.recipient !== before || texts.has(message.text)) continue;
    if (++waiting > mostNotices) {
      throw limited(
        `${mostNotices} mails to this user wait to be sent; the address can be changed when there are fewer`,
      );
    }
    texts.add(message.text);
    await insertMail(db, { ...row, ...sealed(secrets, { ...message, to: recipient }) });
  }
}

/** Encrypts the content under a new id, to which the encryption is bound. */
function sealed(secrets: Secrets, { to: recipient, ...content }: Message) {
  const id = newId();
  return { id, recipient, content: secrets.seal(JSON.stringify(content), contextOf(id)) };
}

export const openMail = (secrets: Secrets, { id, recipient, content }: MailRow): Message => ({
  to: recipient,
  // safe: `sealed` wrote it
  ...(JSON.parse(secrets.open(content, contextOf(id))) as Omit<Message, "to">),
});

const contextOf = (id: string) => `mail.content:${id}`;
