/** Letters to users, who may have no address: then there is none. */
import type { Ctx } from "../../write/context.ts";
import { takeGuess } from "../credentials/guesses.ts";
import type { Letter } from "../mail/letter.ts";
import { sendMail } from "../mail/queue.ts";

interface Addressee {
  readonly id: string;
  readonly email: string;
}

/** As part of a write. */
export async function mailUser<T extends Addressee>(ctx: Ctx, user: T, write: (user: T) => Letter): Promise<void> {
  if (user.email !== "") await sendMail(ctx, write(user), { resource_type: "user", resource_id: user.id });
}

/**
 * Of what users do themselves as often as they like: beyond a number it is refused, so that no notice of it is lost. What
 * a link or an administrator does is bounded by the mails and changes that go before it, and must not wait for whoever
 * stole a session.
 */
export async function tellUser<T extends Addressee>(ctx: Ctx, user: T, write: (user: T) => Letter): Promise<void> {
  if (user.email === "") return;
  await takeGuess(ctx, ["news", user.id], ["accountNews", ctx.account_id]);
  await mailUser(ctx, user, write);
}
