/** A call that is ready to be made, with the verdict of the rules. */
import type { Call } from "./cases.ts";
import { type Access, holding, holds, type Permissions } from "./rules.ts";
import type { Holder, Members, World } from "./world.ts";

/** `open`: the service may allow or refuse the call. */
export type Verdict = "allowed" | "refused" | "open";

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly verdict: Verdict;
  /** Zones that the call is about. */
  readonly zones?: readonly string[];
  /** Called after a reply with status 200: records the changes, and returns what is wrong with the reply. */
  readonly done?: (body: never) => readonly string[] | Promise<readonly string[]>;
}

export interface Scene {
  readonly world: World;
  readonly members: Members;
  readonly actor: Holder;
  readonly access: Access;
  /** A name that is not in use. */
  readonly free: string;
}

/** Undefined when there is no object for the call. */
export type Make = (scene: Scene, call: Call) => Promise<Step | undefined> | Step | undefined;

/** The effective permissions of a member: those of each team, or its own without teams. */
export const accessOf = ({ teams, permissions }: Pick<Holder, "teams" | "permissions">, members: Members): Access =>
  teams.length === 0
    ? [permissions]
    : teams.flatMap((id) => members.teams.filter((team) => team.id === id).map((team) => team.permissions));

export const allowedIf = (is: boolean): Verdict => (is ? "allowed" : "refused");

/** The verdict on a call that is allowed only if all of these are. */
export function together(...parts: readonly Verdict[]): Verdict {
  if (parts.includes("refused")) return "refused";
  return parts.includes("open") ? "open" : "allowed";
}

/** Whether `says` accepts at least one of the permissions that hold the right. */
export const someGrant = (access: Access, right: string, says: (one: Permissions) => boolean): boolean =>
  holding(access, right).some(says);

export const byRight = (access: Access, ...rights: readonly string[]): Verdict =>
  allowedIf(rights.some((right) => holds(access, right)));
