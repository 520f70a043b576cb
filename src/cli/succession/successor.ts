/** Starts the service that takes over from this one: it inherits the sockets, and answers before this one stops. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Server } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { environmentForSuccessor } from "../../config/config.ts";
import { unavailable } from "../../lib/problem.ts";
import type { Program } from "../commands/reload.ts";
import type { PassedDescriptor } from "../supervisor/held-sockets.ts";
import type { Start } from "../supervisor/link.ts";
import type { ToPredecessor, ToSuccessor } from "./messages.ts";

export interface SuccessorOptions {
  readonly program: Program;
  /** The command with its flags. */
  readonly args: readonly string[];
  readonly sockets: readonly PassedDescriptor[];
  /** Locks the data directory. */
  readonly lock: Server;
  /** The revisions that the edge has applied. */
  readonly position: Start["takesOver"];
}

/** A service that answers beside this one. */
export interface Successor {
  readonly pid: number;
  /** Lets it take requests; resolves when it does. */
  lead(): Promise<void>;
}

/** Milliseconds, longer than the time that the successor gives its own edge. */
const readyWithin = 150_000;
const leadsWithin = 10_000;

/** Resolves when the successor answers. Rejects with its reason if it does not, and ends it. */
export async function startSuccessor({ program, args, sockets, lock, position }: SuccessorOptions): Promise<Successor> {
  const { node, main } = program;
  const child = spawn(node, [...process.execArgv, main, ...args], {
    stdio: ["ignore", "inherit", "inherit", ...sockets.map(({ fd }) => fd), "ipc"],
    env: environmentForSuccessor(sockets.map(({ name }) => name ?? "")),
  });
  const send = (message: ToSuccessor, handle?: Server) => child.send(message, handle, {}, () => {});
  const heard = hear(child);
  try {
    send({ kind: "inherit", position }, lock);
    await within(heard("ready"), readyWithin, "the new service was not ready");
  } catch (error) {
    await end(child);
    throw error;
  }
  return {
    pid: child.pid!,
    async lead() {
      const leads = heard("leads");
      send({ kind: "lead" });
      await within(leads, leadsWithin, "the new service does not take requests");
      child.disconnect();
      child.unref();
    },
  };
}

/** Returns a function that waits for a message. It rejects when the child reports a failure, or ends. */
function hear(child: ChildProcess) {
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  child.once("error", (error) => failed.reject(unavailable(`the new service cannot be started: ${error.message}`)));
  child.once("exit", (code, signal) => failed.reject(unavailable(`the new service ended (${signal ?? code})`)));
  child.on("message", (message: ToPredecessor) => {
    if (message.kind === "failed") failed.reject(unavailable(message.message));
  });
  return (kind: ToPredecessor["kind"]) => {
    const came = new Promise<void>((resolve) => {
      child.on("message", (message: ToPredecessor) => message.kind === kind && resolve());
    });
    return Promise.race([came, failed.promise]);
  };
}

async function within(promise: Promise<void>, milliseconds: number, otherwise: string): Promise<void> {
  const settled = new AbortController();
  const late = delay(milliseconds, undefined, { signal: settled.signal }).then(() => {
    throw unavailable(`${otherwise} within ${milliseconds / 1000} s`);
  });
  late.catch(() => {});
  try {
    await Promise.race([promise, late]);
  } finally {
    settled.abort();
  }
}

/** Its children end with it. */
async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
