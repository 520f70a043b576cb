/** BIND, NSD, Knot and PowerDNS as partners of our zones: each on its own port, from a temporary directory. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { startNameserver } from "../nameserver.ts";
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
  /** For a primary: changes a zone, and sends us NOTIFY. */
  change(change: Change): Promise<void>;
}

interface Wanted {
  /** Our port. */
  readonly ourPort: number;
  readonly zones: readonly PartnerZone[];
  /** By default, a free port. */
  readonly port?: number;
}

/** Starts a program with these zones. A primary then serves all of them. */
export async function startPartner(name: ProgramName, role: "primary" | "secondary", wanted: Wanted): Promise<Partner> {
  const { primary, secondary } = programs[name];
  return role === "primary" ? await start(primary, wanted, serves) : await startPrepared(secondary, wanted);
}

/** Starts a program with a different configuration, and waits for its first answer. */
export async function startPrepared(prepare: Prepare, wanted: Wanted): Promise<Partner> {
  const edit: Edit = async ({ zone }) => {
    throw new Error(`${zone} cannot be changed there`);
  };
  return await start(async (setup) => ({ command: await prepare(setup), edit }), wanted, answers);
}

async function start(
  prepare: Program["primary"],
  { ourPort, zones, port: wanted }: Wanted,
  isReady: (port: number, zone: string) => Promise<boolean>,
): Promise<Partner> {
  let edit: Edit | undefined;
  const { port, daemon, stop } = await startNameserver({
    port: wanted,
    async prepare(place) {
      mkdirSync(join(place.directory, "db"));
      const prepared = await prepare({ ...place, ourPort, zones });
      edit = prepared.edit;
      return prepared.command;
    },
    isReady: async (at) => (await Promise.all(zones.map(({ zone }) => isReady(at, zone)))).every(Boolean),
  });
  return { port, change: (change) => edit!(change, daemon), [Symbol.asyncDispose]: stop };
}

/** BIND answers SERVFAIL while it reads its zones. */
const serves = (port: number, zone: string) =>
  serialAt(port, zone).then(
    (serial) => serial !== undefined,
    () => false,
  );

/** A refusal counts as an answer: a secondary usually refuses before its first transfer. */
const answers = (port: number, zone: string) =>
  serialAt(port, zone).then(
    () => true,
    () => false,
  );
