/** BIND, NSD, Knot and PowerDNS as partners of our zones: each on a port of its own, from a temporary directory. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Daemon, freePort } from "../../processes.ts";
import { bind } from "./bind.ts";
import { knot } from "./knot.ts";
import { nsd } from "./nsd.ts";
import { powerdns } from "./powerdns.ts";
import type { Change, Edit, PartnerZone, Prepare, Program } from "./program.ts";
import { serialAt } from "./zone.ts";

export const programs = { bind, nsd, knot, powerdns } as const satisfies Record<string, Program>;
export type ProgramName = keyof typeof programs;

export interface Partner extends AsyncDisposable {
  readonly port: number;
  /** Of a primary: changes a zone, and tells us. */
  change(change: Change): Promise<void>;
}

interface Wanted {
  /** Where we answer. */
  readonly ours: number;
  readonly zones: readonly PartnerZone[];
  /** A free one without it. */
  readonly port?: number;
}

/** Starts a program with these zones, and waits until it answers at all. */
export async function startPartner(name: ProgramName, role: "primary" | "secondary", wanted: Wanted): Promise<Partner> {
  const program = programs[name];
  return role === "primary" ? await start(program.primary, wanted) : await startPrepared(program.secondary, wanted);
}

/** The same with a configuration of its own. */
export async function startPrepared(prepare: Prepare, wanted: Wanted): Promise<Partner> {
  const edit: Edit = async ({ zone }) => {
    throw new Error(`${zone} cannot be changed there`);
  };
  return await start(async (setup) => ({ command: await prepare(setup), edit }), wanted);
}

async function start(prepare: Program["primary"], { ours, zones, port: wanted }: Wanted): Promise<Partner> {
  const directory = mkdtempSync(join(tmpdir(), "fairlead-partner-"));
  mkdirSync(join(directory, "db"));
  const port = wanted ?? (await freePort());
  const { command, edit } = await prepare({ directory, ours, zones, port });
  const [file, ...args] = command;
  const daemon = new Daemon(file, args);
  const stop = async () => {
    await daemon.end();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await daemon.until(() => isAnswered(port, zones[0]!.zone));
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, change: (change) => edit(change, daemon), [Symbol.asyncDispose]: stop };
}

/** Also with a refusal, as before the first transfer. */
async function isAnswered(port: number, zone: string): Promise<boolean> {
  try {
    await serialAt(port, zone);
    return true;
  } catch {
    return false;
  }
}
