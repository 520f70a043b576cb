/** Letters to users, who may have no address: then there is none. */
import type { Ctx } from "../context.ts";
import type { Letter } from "../mail/letter.ts";
import { sendMail } from "../mail/queue.ts";

/** As part of a write. */
export async function mailUser<T extends { readonly id: string; readonly email: string }>(
  ctx: Ctx,
  user: T,
  write: (user: T) => Letter,
): Promise<void> {
  if (user.email !== "") await sendMail(ctx, write(user), { resource_type: "user", resource_id: user.id });
}
