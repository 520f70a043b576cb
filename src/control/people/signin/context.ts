/** The context of the sign-in routes: the common context and the services of this folder. */
import { routeFor } from "../../../http/route/route.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import type { Afterwards } from "./delayed-work.ts";
import type { Entrance } from "./password-queue.ts";
import type { Sessions } from "./sessions.ts";

export interface SignInServices {
  /** The sessions of users. */
  readonly sessions: Sessions;
  /** The process's queue for checking passwords. */
  readonly entrance: Entrance;
  /** Work for known users, done after the reply. */
  readonly afterwards: Pick<Afterwards, "add">;
}

export type SignInCtx = Ctx & SignInServices;

export const route = routeFor<Right, SignInCtx>();
