/** `fairlead edge` as a separate process, on the store of a service. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon } from "../../machine/processes.ts";
import { asStarted, node, tree } from "../../service/kit.ts";
import { metric } from "./metrics.ts";

export interface EdgeOptions {
  readonly databaseUrl: string;
  /** The loopback port for the edge's metrics. */
  readonly metrics: number;
  readonly flags: readonly string[];
  /** The start of the command line, before the edge's own command. */
  readonly inside?: readonly string[];
  /** A data directory to keep; otherwise one is made, and removed at the end. */
  readonly data?: string;
}

export class EdgeProcess {
  readonly daemon: Daemon;
  readonly metricsUrl: string;
  readonly #temporary: string | undefined;

  constructor({ databaseUrl, metrics, flags, inside = [], data }: EdgeOptions) {
    this.#temporary = data === undefined ? mkdtempSync(join(tmpdir(), "fairlead-edge-")) : undefined;
    const directory = data ?? this.#temporary!;
    const own = ["--database-url", databaseUrl, "--metrics", `127.0.0.1:${metrics}`, "--data", directory, ...asStarted];
    const [file = "", ...args] = [...inside, node, join(tree, "bin/fairlead.js"), "edge", ...own, "--log", "warn"];
    this.daemon = new Daemon(file, [...args, ...flags], { cwd: tree });
    this.metricsUrl = `http://127.0.0.1:${metrics}/metrics`;
  }

  /** Resolves when the edge has records to answer from. */
  async ready(): Promise<void> {
    await this.daemon.until(async () => (await metric(this.metricsUrl, "fairlead_edge_rrsets").catch(() => 0)) > 0);
  }

  async stop(): Promise<void> {
    await this.daemon.end();
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }
}
