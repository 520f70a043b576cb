/** Mails to users. A user without an address gets none. */
import type { Ctx } from "../../write/context.ts";
import { countAttempt } from "../credentials/attempts.ts";
import type { Letter } from "../mail/letter.ts";
import { sendMail } from "../mail/queue.ts";

interface Addressee {
  readonly id: string;
  readonly email: string;
}

/** Queues the mail in the transaction of a write. */
export async function mailUser<T extends Addressee>(ctx: Ctx, user: T, write: (user: T) => Letter): Promise<void> {
  if (user.email !== "") await sendMail(ctx, write(user), { resource_type: "user", resource_id: user.id });
}

/**
 * Mails a user about a change that users can make themselves at any time. Beyond a number of changes, throws `limited`
 * and so refuses the change: none happens without its notice. Changes through a link or by an administrator use
 * `mailUser`: they have limits of their own, and the thief of a session must not be able to delay them.
 */
export async function notifyUser<T extends Addressee>(ctx: Ctx, user: T, write: (user: T) => Letter): Promise<void> {
  if (user.email === "") return;
  await countAttempt(ctx, ["news", user.id], ["accountNews", ctx.account_id]);
  await mailUser(ctx, user, write);
}
