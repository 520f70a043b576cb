/** The token of the link with which the first user signs in, until that user has a password. */
import type { Secrets } from "../../../lib/secrets.ts";
import type { Store } from "../../../storage/db.ts";
import { hasTotp } from "../credentials/sign-in-user.ts";
import { findSignInUser } from "../credentials/sign-in-user-store.ts";
import { issueToken } from "../credentials/token.ts";
import { findFirstUser } from "../members/first-store.ts";
import { logCommand } from "./log.ts";

export interface FirstToken {
  readonly username: string;
  readonly token: string;
}

/** Makes a token, which replaces an earlier one. Returns undefined if the first user can sign in otherwise, or is gone. */
export async function makeFirstToken(
  store: Store,
  { secrets, now }: { readonly secrets: Secrets; readonly now: number },
): Promise<FirstToken | undefined> {
  return await store.transaction(async (tx) => {
    const first = await findFirstUser(tx);
    const user = first && (await findSignInUser(tx, first));
    if (!user || user.password !== null || hasTotp(user) || user.suspended_at !== null) return undefined;
    const token = await issueToken({ db: tx, secrets, now }, user, "first");
    const { account_id, id, username } = user;
    await logCommand(tx, account_id, "serve", { log: ["user", "first_link"], resource: { id, username }, now });
    return { username, token };
  });
}
