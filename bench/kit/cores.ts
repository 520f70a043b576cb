/** Cores: the measured server runs on one, its clients on another. */
import { output } from "../../test/machine/processes.ts";

export const serverCore = 1;
export const loadCore = 0;

const taskset = (core: number, args: readonly string[]) => ["taskset", "-c", `${core}`, ...args];

/** A command on the server's core. */
export const onServerCore = (command: readonly string[]) => taskset(serverCore, command);
export const onLoadCore = (command: readonly string[]) => taskset(loadCore, command);

/** Moves a thread of the kernel. */
export async function pinTo(core: number, thread: number): Promise<void> {
  await output("taskset", ["-p", "-c", `${core}`, `${thread}`]);
}

/** Moves running processes with all their threads. */
export async function pin(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await output("taskset", ["-a", "-p", "-c", `${serverCore}`, `${pid}`]);
}
