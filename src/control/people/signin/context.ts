/** The context of the sign-in routes: the common context, the services of this folder, and writes in a user's name. */
import { routeFor } from "../../../http/route/route.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import { callerOf } from "../credentials/sign-in-user.ts";
import type { SignInUser } from "../credentials/sign-in-user-store.ts";
import type { DelayedWork } from "./delayed-work.ts";
import type { PasswordQueue } from "./password-queue.ts";
import type { Sessions } from "./sessions.ts";

export interface SignInServices {
  readonly sessions: Sessions;
  readonly passwordQueue: PasswordQueue;
  readonly delayedWork: Pick<DelayedWork, "add">;
}

export type SignInCtx = Ctx & SignInServices;

export const route = routeFor<Right, SignInCtx>();

/** Runs a step in a transaction whose author is the user. `details` are added to its entry in the activity log. */
export async function writeAs<T>(
  ctx: Ctx,
  user: SignInUser,
  action: string,
  step: (tx: Ctx) => Promise<T>,
  details: (result: T) => object = () => ({}),
): Promise<T> {
  const write = async (tx: Ctx) => {
    const result = await step(tx);
    return { result, resource: { ...resourceOf(user), ...details(result) } };
  };
  return (await ctx.transact(["user", action], write, callerOf(user))).result;
}

/** The user as a resource of the activity log. */
export const resourceOf = ({ id, username }: SignInUser) => ({ id, username });
