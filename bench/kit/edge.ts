/** An edge of ours that answers from a snapshot, without a store, so that zones of any size are loaded at once. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImageWriter } from "../../src/answer/image/writer/writer.ts";
import { LineSnapshots } from "../../src/edge/snapshot/line-snapshots.ts";
import { liveLines } from "../../src/edge/snapshot/live-snapshot.ts";
import { Snapshots } from "../../src/edge/snapshot/snapshots.ts";
import { newLog } from "../../src/lib/log.ts";
import { Daemon, freePort } from "../../test/machine/processes.ts";
import { asStarted, node, tree } from "../../test/service/kit.ts";
import type { Contender } from "./contender.ts";
import { pin } from "./cores.ts";
import { answers } from "./peer.ts";

const log = newLog("error", "bench");
const at = { revision: 1, store: "none", currentAt: Date.now() };

/** Writes the snapshot for an edge that starts in this directory. */
export async function keepImage(directory: string, image: ImageWriter): Promise<void> {
  const kept = join(directory, "edge");
  mkdirSync(kept, { recursive: true });
  await new Snapshots(kept, "all", log).write(() => ({ ...at, image }));
  // without values of feeds, an edge would wait for them
  await new LineSnapshots(liveLines, kept, log).write({ position: at, states: [] });
}

/** The command that starts an edge in `directory`. By default it is on loopback, and no store is at its database URL. */
export const edgeCommand = (
  directory: string,
  port: number,
  flags: readonly string[] = [],
  { storeUrl = "postgres://127.0.0.1:1/none", address = "127.0.0.1" } = {},
): readonly string[] => [
  ...[node, join(tree, "bin/fairlead.js"), "edge", "--dns", `${address}:${port}`, "--metrics", `127.0.0.1:${port + 1}`],
  ...["--data", directory, "--database-url", storeUrl, "--log", "error", ...asStarted, ...flags],
];

export interface EdgeOptions {
  readonly workers?: number;
  readonly flags?: readonly string[];
  /** Whether the edge may run on all cores. */
  readonly isFree?: boolean;
}

/** Starts an edge with this image; by default with one worker, on the server's core. */
export async function startEdge(image: ImageWriter, probe: string, options: EdgeOptions = {}): Promise<Contender> {
  const { workers = 1, flags = [], isFree = false } = options;
  const directory = mkdtempSync(join(tmpdir(), "fairlead-bench-"));
  await keepImage(directory, image);
  const port = await freePort();
  const [file, ...args] = edgeCommand(directory, port, ["--workers", `${workers}`, ...flags]);
  const daemon = new Daemon(file!, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await daemon.until(() => answers(port, probe), 120_000);
    if (!isFree) await pin([daemon.pid]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: "Fairlead", port, pids: () => [daemon.pid], [Symbol.asyncDispose]: stop };
}
