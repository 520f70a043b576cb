/** Other programs in tests: run to the end, or kept running and ended by their own process id. */
import { type ChildProcess, execFile, type SpawnOptions, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly timeout?: number;
}

/** Runs a program to its end; a failure is a value, not an exception. */
export const run = (file: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(file, args, { maxBuffer: 64 << 20, timeout: 120_000, ...options }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, out, err: error !== null && typeof error.code === "string" ? `${err}${error.message}` : err });
    });
  });

/** Runs a program that must succeed, and returns its output. */
export async function output(file: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, out, err } = await run(file, args, options);
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}\n${out}${err}`);
  return out;
}

/** A program that runs until it is ended; the last part of its output is saved for messages. */
export class Daemon {
  readonly child: ChildProcess;
  #text = "";

  constructor(file: string, args: readonly string[], options: SpawnOptions = {}) {
    this.child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#text = (this.#text + text).slice(-100_000);
      });
    }
    this.child.on("error", (error) => {
      this.#text += error.message;
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get printed(): string {
    return this.#text;
  }

  get ended(): boolean {
    return this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Waits until `ready` holds; fails at once when the program ends, and with its last output after `within` ms. */
  async until(ready: () => boolean | Promise<boolean>, within = 60_000): Promise<void> {
    const deadline = Date.now() + within;
    while (!(await ready())) {
      if (this.ended) throw new Error(`${this.child.spawnfile} ended early:\n${this.#text}`);
      if (Date.now() > deadline) throw new Error(`${this.child.spawnfile} is not ready:\n${this.#text}`);
      await delay(50);
    }
  }

  /**
   * Ends the program with a signal, and kills it after `patience` ms. Returns the exit code; null if a signal ended the
   * program.
   */
  async end(signal: NodeJS.Signals = "SIGTERM", patience = 15_000): Promise<number | null> {
    if (!this.ended) {
      const exit = new Promise<void>((resolve) => this.child.once("exit", () => resolve()));
      this.child.kill(signal);
      const hard = setTimeout(() => this.child.kill("SIGKILL"), patience);
      await exit;
      clearTimeout(hard);
    }
    return this.child.exitCode;
  }
}

/** Each worker of vitest has its own ports, below the range of outgoing connections. */
const portsOfWorker = 500;
const firstPort = 23_000 + (Number(process.env["VITEST_POOL_ID"] ?? 0) % 8) * portsOfWorker;
const given = new Set<number>();

/** A port on loopback that is free for UDP and TCP; never the same twice in a process. */
export const freePort = () => freePortFrom(firstPort, portsOfWorker);

/** Likewise a port that only root can open. `fetch` refuses some of those below and above (Fetch standard, "bad port"). */
export const lowPort = () => freePortFrom(700, 280);

async function freePortFrom(first: number, count: number): Promise<number> {
  for (;;) {
    const port = first + Math.floor(Math.random() * count);
    if (given.has(port)) continue;
    given.add(port);
    if ((await bindsUdp(port)) && (await bindsTcp(port))) return port;
  }
}

const bindsUdp = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createSocket("udp4");
    socket.once("error", () => resolve(false));
    socket.bind({ address: "127.0.0.1", port, exclusive: true }, () => socket.close(() => resolve(true)));
  });

const bindsTcp = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => server.close(() => resolve(true)));
  });
