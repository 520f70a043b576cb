/** Other people's servers beside ours: each started by us on loopback, on the server's core, with files of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processesBelow } from "../../test/machine/proc.ts";
import { Daemon, freePort, run } from "../../test/machine/processes.ts";
import type { Contender } from "./contender.ts";
import { onServerCore, pin } from "./cores.ts";
import type { ZoneFiles } from "./zone.ts";

export interface Peer {
  readonly name: string;
  readonly program: string;
  /** Debian's, for what is said of versions. */
  readonly package: string;
  /** Writes what it reads into a directory, and returns its command. It stays in the foreground. */
  configure(home: string, port: number, files: ZoneFiles): readonly string[];
}

export interface Peers extends AsyncDisposable {
  readonly running: readonly Contender[];
  /** Why others are not there. */
  readonly missing: Readonly<Record<string, string>>;
}

export async function startPeers(peers: readonly Peer[], files: ZoneFiles, within?: number): Promise<Peers> {
  const running: Contender[] = [];
  const missing: Record<string, string> = {};
  for (const peer of peers) {
    if ((await run("sh", ["-c", `command -v ${peer.program}`])).code !== 0) missing[peer.name] = "not installed";
    else {
      const started = await startPeer(peer, files, within).catch((error: Error) => error);
      if (started instanceof Error) missing[peer.name] = `does not start: ${started.message.split("\n")[0]}`;
      else running.push(started);
    }
  }
  return {
    running,
    missing,
    async [Symbol.asyncDispose]() {
      for (const one of running) await one[Symbol.asyncDispose]();
    },
  };
}

async function startPeer(peer: Peer, files: ZoneFiles, within = 120_000): Promise<Contender> {
  const home = mkdtempSync(join(tmpdir(), "fairlead-peer-"));
  const port = await freePort();
  const [file, ...args] = onServerCore(peer.configure(home, port, files));
  const daemon = new Daemon(file!, args);
  const stop = async () => {
    await daemon.end();
    rmSync(home, { recursive: true, force: true });
  };
  const pids = () => [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)];
  try {
    await daemon.until(() => answers(port, files.probe), within);
    // Knot chooses the cores of its threads itself
    await pin(pids());
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: peer.name,
    port,
    pids,
    [Symbol.asyncDispose]: stop,
  };
}

/** Whether a server on loopback answers a question such as `www.example.com A`. */
export async function answers(port: number, question: string): Promise<boolean> {
  const dig = ["@127.0.0.1", "-p", `${port}`, "+short", "+tries=1", "+time=1", ...question.split(" ")];
  const { code, out } = await run("dig", dig);
  return code === 0 && out.trim() !== "" && !out.includes(";;");
}
