/** Mails as part of a write: rows, so that a mail is sent when its write is committed, and not otherwise. */

import { newId } from "../../../lib/ids.ts";
import { limited } from "../../../lib/problem.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { mailAddress } from "../../../lib/text/email.ts";
import type { Ctx } from "../../write/context.ts";
import { type Letter, type Message, messageOf } from "./letter.ts";
import { deleteMailAbout, deleteWaysIn, insertMail, listNews, type MailRow } from "./store.ts";

/** What the mail is about: the activity log says there what became of it when it cannot be sent. */
export interface About {
  readonly resource_type: string;
  readonly resource_id: string;
}

/** To one user, of those that are there for another address as well. */
const mostNews = 100;

type Sending = Pick<Ctx, "db" | "account_id" | "secrets" | "now" | "afterCommit">;

export async function sendMail(ctx: Sending, letter: Letter, about: About): Promise<void> {
  const { db, account_id, secrets, now, afterCommit } = ctx;
  const when = { attempts: 0, created: now, next_try: now };
  const rest = { account_id, is_way_in: letter.isWayIn ?? false, ...about, ...when };
  await insertMail(db, { ...rest, ...sealed(secrets, messageOf(letter)) });
  afterCommit("mail");
}

/**
 * For a user whose address changes: no way in goes to the one before any more, and news that wait for it go to both, as
 * nobody knows which of them is read by whom. Once each: an address has what it says already, whichever way it came.
 */
export async function redirectMail(ctx: Sending, resource_id: string, from: string, to: string): Promise<void> {
  const { db, account_id, secrets } = ctx;
  await withdrawWaysIn(ctx, resource_id);
  const [before, recipient] = [mailAddress(from), mailAddress(to)];
  if (before === undefined || recipient === undefined) return;
  const news = await listNews(db, account_id, resource_id);
  const messages = news.map((row) => ({ row, message: openMail(secrets, row) }));
  const said = new Set(messages.filter(({ row }) => row.recipient === recipient).map(({ message }) => message.text));
  let waiting = news.length;
  for (const { row, message } of messages) {
    if (row.recipient !== before || said.has(message.text)) continue;
    if (++waiting > mostNews) {
      throw limited(`${mostNews} mails to this user wait to be sent: its address changes once there are fewer`);
    }
    said.add(message.text);
    await insertMail(db, { ...row, ...sealed(secrets, { ...message, to: recipient }) });
  }
}

/** Under a new id, to which the envelope belongs. */
function sealed(secrets: Secrets, { to: recipient, ...content }: Message) {
  const id = newId();
  return { id, recipient, content: secrets.seal(JSON.stringify(content), contextOf(id)) };
}

/** Links that were sent about a resource and wait are not sent any more. */
export const withdrawWaysIn = ({ db, account_id }: Pick<Ctx, "db" | "account_id">, resource_id: string) =>
  deleteWaysIn(db, account_id, resource_id);

/** What was written about a resource and waits is not sent any more. */
export const withdrawMail = ({ db, account_id }: Ctx, resource_id: string) =>
  deleteMailAbout(db, account_id, resource_id);

export const openMail = (secrets: Secrets, { id, recipient, content }: MailRow): Message => ({
  to: recipient,
  // sealed by `sendMail`
  ...(JSON.parse(secrets.open(content, contextOf(id))) as Omit<Message, "to">),
});

const contextOf = (id: string) => `mail.content:${id}`;
