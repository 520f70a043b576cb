/** A control or an edge on this machine, which is stopped, killed, and started again, also from other sources. */
import { join } from "node:path";
import { Daemon } from "../machine/processes.ts";
import { asStarted, node, tree } from "../service/kit.ts";

export interface PartOptions {
  readonly role: "control" | "edge";
  readonly flags: readonly string[];
  /** The port of the listener with `/readyz`. */
  readonly readiness: number;
}

export class Part {
  readonly #options: PartOptions;
  /** The source tree that the next start runs. */
  sources: string;
  #running: Daemon | undefined;

  constructor(options: PartOptions) {
    this.#options = options;
    this.sources = tree;
  }

  /** What the process has printed since its start. */
  get printed(): string {
    return this.#running?.printed ?? "";
  }

  /** The messages of its log. */
  get messages(): string[] {
    const lines = this.printed.split("\n").filter((line) => line.startsWith("{"));
    return lines.map((line) => JSON.parse(line).msg);
  }

  get isRunning(): boolean {
    return this.#running !== undefined && !this.#running.ended;
  }

  /** Starts the process, from the same sources as before unless others are given, and waits until it is ready. */
  async start(sources = this.sources): Promise<void> {
    this.sources = sources;
    const { role, flags } = this.#options;
    const program = join(sources, "bin/fairlead.js");
    this.#running = new Daemon(node, [program, role, ...flags, ...asStarted, "--log", "warn"], { cwd: sources });
    await this.#running.until(() => this.isReady(), 60_000);
  }

  async isReady(): Promise<boolean> {
    const reply = await fetch(`http://127.0.0.1:${this.#options.readiness}/readyz`).catch(() => undefined);
    return reply?.ok === true;
  }

  /** Ends the process as an operator does, or with another signal. */
  async end(signal?: NodeJS.Signals): Promise<void> {
    await this.#running?.end(signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }
}
