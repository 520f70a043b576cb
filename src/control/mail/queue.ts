/** Mails as part of a write: rows, so that a mail is sent when its write is committed, and not otherwise. */
import { mailAddress } from "../../lib/email.ts";
import { newId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Ctx } from "../context.ts";
import { type Letter, type Message, messageOf } from "./letter.ts";
import { deleteMailAbout, deleteWaysIn, insertMail, listNews, type MailRow } from "./store.ts";

/** What the mail is about: the activity log says there what became of it when it cannot be sent. */
export interface About {
  readonly resource_type: string;
  readonly resource_id: string;
}

type Sending = Pick<Ctx, "db" | "account_id" | "secrets" | "now" | "postman" | "afterCommit">;

export async function sendMail(ctx: Sending, letter: Letter, about: About): Promise<void> {
  const { db, account_id, secrets, now, postman, afterCommit } = ctx;
  const when = { attempts: 0, created: now, next_try: now };
  const rest = { account_id, is_way_in: letter.isWayIn ?? false, ...about, ...when };
  await insertMail(db, { ...rest, ...sealed(secrets, messageOf(letter)) });
  afterCommit(() => postman.wake());
}

/**
 * For a user whose address changes: no way in goes to the one before any more, and news that wait for it go to both, as
 * nobody knows which of them is read by whom.
 */
export async function redirectMail(ctx: Sending, resource_id: string, from: string, to: string): Promise<void> {
  const { db, account_id, secrets } = ctx;
  await withdrawWaysIn(ctx, resource_id);
  const [before, recipient] = [mailAddress(from), mailAddress(to)];
  if (before === undefined || recipient === undefined) return;
  for (const row of await listNews(db, account_id, resource_id, before)) {
    await insertMail(db, { ...row, ...sealed(secrets, { ...openMail(secrets, row), to: recipient }) });
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
