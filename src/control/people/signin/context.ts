/** The context of routes of signing in: what every handler has, and the services of this room. */
import { routeFor } from "../../../http/route/route.ts";
import type { Right } from "../../access/rights.ts";
import type { Ctx } from "../../write/context.ts";
import type { Afterwards } from "./afterwards.ts";
import type { Entrance } from "./entrance.ts";
import type { Sessions } from "./sessions.ts";

export interface SignInServices {
  /** The users who are signed in. */
  readonly sessions: Sessions;
  /** The queue for checking passwords, of this process. */
  readonly entrance: Entrance;
  /** Work that is done for a known user once the request is answered. */
  readonly afterwards: Pick<Afterwards, "add">;
}

export type SignInCtx = Ctx & SignInServices;

export const route = routeFor<Right, SignInCtx>();
