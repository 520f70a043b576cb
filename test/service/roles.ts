/** The processes of a running service, by role. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processesBelow } from "../machine/proc.ts";
import type { Service } from "./kit.ts";

export interface Roles {
  readonly supervisor: readonly number[];
  readonly control: readonly number[];
  readonly edge: readonly number[];
  /** The postmaster first, then its children. */
  readonly store: readonly number[];
}

export function rolesOf(service: Service): Roles {
  const postmaster = Number(readFileSync(join(service.files, "store/postmaster.pid"), "utf8").split("\n")[0]);
  const store = [postmaster, ...processesBelow(postmaster).map(({ pid }) => pid)];
  const children = processesBelow(service.daemon.pid);
  const role = (name: string) => children.filter(({ line }) => line.at(-1) === name).map(({ pid }) => pid);
  return { supervisor: [service.daemon.pid], control: role("control"), edge: role("edge"), store };
}
