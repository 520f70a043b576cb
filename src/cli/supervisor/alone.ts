/** A role that root starts without the other one: a child does its work as another user, and may be restarted by systemd. */
import type { Config } from "../../config/config.ts";
import type { Log } from "../../lib/log.ts";
import { unavailable } from "../../lib/problem.ts";
import type { Running } from "./child-side.ts";
import { HeldSockets } from "./held-sockets.ts";
import { Launcher } from "./launcher.ts";
import type { Role } from "./link.ts";
import { RoleProcess } from "./role-process.ts";
import { DnsSockets } from "./sockets.ts";

export interface AloneOptions {
  readonly role: Role;
  /** The entry file of the child. */
  readonly main: string;
  readonly config: Config;
  readonly storeUrl: string;
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly held?: HeldSockets;
  readonly log: Log;
}

/** Resolves when the role is ready. This process ends with its child. */
export async function runForRoot({
  role,
  main,
  config,
  held = new HeldSockets(),
  ...given
}: AloneOptions): Promise<Running> {
  const launcher = new Launcher({ ...given, held, isAlone: true });
  const launch =
    role === "edge"
      ? launcher.edge(config, await new DnsSockets(held, given.log).hand(config))
      : launcher.control(config);
  const relay = () => Promise.reject(unavailable("there is no other role here"));
  const child = new RoleProcess({ role, main, relay, ...launch });
  child.ready
    .catch(() => {})
    .then(() => child.ended)
    .then((how) => process.exit(typeof how === "number" ? how : 1));
  await child.ready;
  return { answer: (question) => child.ask(question), close: () => child.stop() };
}
