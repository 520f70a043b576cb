/** What an attack declares: the load of one tenant or of a stranger, and as much harmless load in its place. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Client } from "../service/client.ts";
import type { OwnServer } from "./elsewhere.ts";
import type { VictimKind } from "./victims.ts";

/** The ports of the API, of DNS over UDP and TCP, over TLS, and over HTTPS. */
export interface Ports {
  readonly http: number;
  readonly dns: number;
  readonly dot: number;
  readonly doh: number;
}

/** The service under attack, as plain data: loads run in a thread. */
export interface Target {
  readonly url: string;
  readonly ports: Ports;
  /** The key of the attacker's account. */
  readonly key: string;
  /** The share of the usual sizes. */
  readonly share: number;
}

export type Load = (target: Target, signal: AbortSignal) => Promise<void>;

export interface Attack {
  readonly name: string;
  /** The attack in a line. */
  readonly what: string;
  readonly victim: VictimKind;
  /** The most that p50 and p99 of victims may grow. */
  readonly bar: number;
  /** Further flags of the service. */
  readonly flags?: readonly string[];
  /** Makes what the loads need, with the attacker's key. */
  prepare?(attacker: Client, target: Target): Promise<void>;
  readonly attack: Load;
  readonly harmless: Load;
}

/** Runs a step again and again until the signal is aborted, at most once in so many milliseconds. Errors are expected. */
export async function repeat(signal: AbortSignal, every: number, step: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    const pause = delay(every, undefined, { signal }).catch(() => {});
    await step().catch(() => {});
    await pause;
  }
}

/** Resolves when the promise does or the signal is aborted; nothing is left with the signal afterwards. */
export async function orAborted(promise: Promise<unknown>, signal: AbortSignal, end: () => void): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const abort = () => {
    end();
    resolve();
  };
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  await Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort));
}

/** The same load, on a server in a thread of its own: what it costs the machine without the service. */
export const elsewhere =
  (port: keyof Ports, server: OwnServer, load: Load): Load =>
  async (target, signal) => {
    const thread = new Worker(new URL("elsewhere.ts", import.meta.url), { workerData: server });
    const [own] = await once(thread, "message");
    await load({ ...target, ports: { ...target.ports, [port]: own } }, signal);
    await thread.terminate();
  };

/** Runs the same step several times at once. */
export const atOnce = (count: number, step: (at: number) => Promise<unknown>): Promise<void> =>
  Promise.all(Array.from({ length: count }, (_, at) => step(at))).then(() => {});
