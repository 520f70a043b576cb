/** The child's side: waits for the supervisor's start message, runs its role, and ends with the supervisor. */
import { setTimeout as delay } from "node:timers/promises";
import { passed } from "../../config/config.ts";
import { type Log, newLog } from "../../lib/log.ts";
import { freeMemoryOnceIdle } from "./free-memory.ts";
import { type Link, type Message, openLink, type Question, type Role, type Start } from "./link.ts";

/** Milliseconds that a role which is still starting gets before the process ends. */
const startingPatience = 1000;

interface Closable {
  close(): Promise<void>;
}

/** A running role, which answers questions about itself and can be closed. */
export interface Running extends Closable {
  answer(question: Question): Promise<string>;
  /** Closes after another process has taken over. */
  retire?(): Promise<void>;
  /** Numbers changes as this holder of leases, until another call without one. */
  number?(holder: string | undefined): void;
}

/** A process that takes over from its parent has a channel, too. */
export const hasSupervisor = () => process.send !== undefined && !passed().followsParent;

/** Runs a role under the supervisor until a message or signal ends it. */
export function runChild(role: Role, run: (start: Start, log: Log, link: Link) => Promise<Running>): void {
  let running: Promise<Running> | undefined;
  const send = (message: Message) => {
    if (process.connected) process.send?.(message, undefined, {}, () => {});
  };
  const link = openLink(
    { send, listen: (receive) => process.on("message", (message) => receive(message as Message)) },
    async (_, question) => (await running!).answer(question),
    (message) => {
      if (message.kind === "retire") retire(running);
      if (message.kind === "number")
        running?.then(
          (role) => role.number?.(message.holder),
          () => {},
        );
      if (message.kind !== "start" || running) return;
      running = run(message, newLog(message.config.log, role), link);
      running.then(
        () => {
          send({ kind: "ready" });
          freeMemoryOnceIdle();
        },
        (error) => {
          send({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
          setTimeout(() => process.exit(1), 50);
        },
      );
    },
  );
  endOnSignal(() => closeStarted(running));
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
}

function retire(running: Promise<Running> | undefined): void {
  running
    ?.then((role) => (role.retire ? role.retire() : role.close()))
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
}

/**
 * Closes a role. A role that is still starting has acknowledged nothing, and may be waiting for an unreachable store, so
 * it gets at most `startingPatience`.
 */
export async function closeStarted(running: Promise<Closable> | undefined): Promise<void> {
  const started = await Promise.race([running, delay(startingPatience)]);
  await started?.close();
}

/** Milliseconds in which a second signal is the first one again: npm passes on a Ctrl-C that the process got as well. */
const sameSignal = 1000;

/** Closes at SIGTERM or SIGINT, and then ends the process. A later second signal ends it at once. */
export function endOnSignal(close: () => Promise<void>): void {
  let endingSince: number | undefined;
  const end = async () => {
    if (endingSince !== undefined) {
      if (performance.now() - endingSince > sameSignal) process.exit(1);
      return;
    }
    endingSince = performance.now();
    await close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => end().catch(() => process.exit(1)));
  }
}
