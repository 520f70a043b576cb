/** Another name server: runs on its own port with its own directory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, freePort } from "../machine/processes.ts";

export interface NameserverHome {
  readonly directory: string;
  readonly port: number;
}

export interface Nameserver extends AsyncDisposable {
  readonly port: number;
  readonly daemon: Daemon;
  stop(): Promise<void>;
}

interface Wanted {
  /** By default, a free port. */
  readonly port?: number | undefined;
  /** Writes the server's files, and returns its command. */
  readonly prepare: (place: NameserverHome) => readonly string[] | Promise<readonly string[]>;
  readonly isReady: (port: number) => Promise<boolean>;
  /** Milliseconds within which the server must be ready. */
  readonly within?: number;
}

/** Starts the server; resolves when it is ready. */
export async function startNameserver({ port = 0, prepare, isReady, within }: Wanted): Promise<Nameserver> {
  const place = { directory: mkdtempSync(join(tmpdir(), "fairlead-peer-")), port: port || (await freePort()) };
  const [file = "", ...args] = await prepare(place);
  const daemon = new Daemon(file, args);
  const stop = async () => {
    await daemon.end();
    rmSync(place.directory, { recursive: true, force: true });
  };
  try {
    await daemon.until(() => isReady(place.port), within);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port: place.port, daemon, stop, [Symbol.asyncDispose]: stop };
}
