/** Mails as part of a write: rows, so that a mail is sent when its write is committed, and not otherwise. */
import { newId } from "../../lib/ids.ts";
import type { Secrets } from "../../lib/secrets.ts";
import type { Ctx } from "../context.ts";
import { type Letter, type Message, messageOf } from "./letter.ts";
import { deleteMailAbout, insertMail, type MailRow } from "./store.ts";

/** What the mail is about: the activity log says there what became of it when it cannot be sent. */
export interface About {
  readonly resource_type: string;
  readonly resource_id: string;
}

type Sending = Pick<Ctx, "db" | "account_id" | "secrets" | "now" | "postman" | "afterCommit">;

export async function sendMail(ctx: Sending, letter: Letter, about: About): Promise<void> {
  const { db, account_id, secrets, now, postman, afterCommit } = ctx;
  const { to, ...content } = messageOf(letter);
  const id = newId();
  const sealed = secrets.seal(JSON.stringify(content), contextOf(id));
  const when = { attempts: 0, created: now, next_try: now };
  await insertMail(db, { account_id, id, recipient: to, content: sealed, ...about, ...when });
  afterCommit(() => postman.wake());
}

/** What was written about a resource and waits is not sent any more. */
export const withdrawMail = ({ db, account_id }: Ctx, resource_id: string) =>
  deleteMailAbout(db, account_id, resource_id);

export const openMail = (secrets: Secrets, { id, recipient, content }: MailRow): Message => ({
  to: recipient,
  // sealed by `sendMail`
  ...(JSON.parse(secrets.open(content, contextOf(id))) as Omit<Message, "to">),
});

const contextOf = (id: string) => `mail.content:${id}`;
