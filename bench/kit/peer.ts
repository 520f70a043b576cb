/** Other DNS servers: each runs on loopback, on the server's core, with its own files. */
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
  /** The Debian package, for its version. */
  readonly package: string;
  /** Whether the server may use every core. */
  readonly isFree?: boolean;
  /** Writes the server's files into a directory, and returns the command that runs the server in the foreground. */
  configure(home: string, port: number, files: ZoneFiles): readonly string[];
}

export interface Peers extends AsyncDisposable {
  readonly running: readonly Contender[];
  /** The reasons why other peers are missing, by name. */
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
  const command = peer.configure(home, port, files);
  const [file, ...args] = peer.isFree ? command : onServerCore(command);
  const daemon = new Daemon(file!, args);
  const stop = async () => {
    await daemon.end();
    rmSync(home, { recursive: true, force: true });
  };
  const pids = () => [daemon.pid, ...processesBelow(daemon.pid).map(({ pid }) => pid)];
  try {
    await daemon.until(() => answers(port, files.probe), within);
    // Knot sets the cores of its threads itself
    if (!peer.isFree) await pin(pids());
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
