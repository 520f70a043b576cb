/** Runs all checks, and prints what they find with what to do. Ends with code 1 if one of them failed. */
import { type Config, readConfig } from "../../../config/config.ts";
import type { Options } from "../../host/stores.ts";
import { type Finding, findingsOf, isWell, printed, reasonOf } from "../../terminal/finding.ts";
import { checkClock } from "./clock.ts";
import { checkDelegation } from "./delegation.ts";
import { checkDisk } from "./disk.ts";
import { checkEdges } from "./edges.ts";
import { checkLimits } from "./limits.ts";
import { checkPorts } from "./ports.ts";
import { runningHere } from "./processes.ts";
import { checkRights } from "./rights.ts";
import { connectedStore } from "./store.ts";
import { checkStore } from "./store-check.ts";

export type DoctorOptions = Options & { readonly zone?: string; readonly json?: boolean };

/** Sets the exit code. */
export async function doctor({ zone, json = false, ...options }: DoctorOptions): Promise<void> {
  const findings = await examine(readConfig(options), zone);
  process.stdout.write(`${printed(findings, json)}\n`);
  if (!isWell(findings)) process.exitCode = 1;
}

async function examine(config: Config, zone: string | undefined): Promise<Finding[]> {
  const here = runningHere(config);
  const store = connectedStore(config);
  // each check that needs the store awaits this later
  store.catch(() => {});
  const checks: Readonly<Record<string, () => Promise<Finding[]> | Finding[]>> = {
    ports: () => checkPorts(config, here),
    clock: () => checkClock(store),
    disk: () => checkDisk(config),
    rights: () => checkRights(config),
    limits: () => checkLimits(here),
    store: () => checkStore(config, store, here),
    edges: () => checkEdges(store),
    ...(zone === undefined ? {} : { delegation: () => checkDelegation(config, zone) }),
  };
  const findings: Finding[] = [];
  // one after another, since some share a connection to the store
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check()));
    } catch (error) {
      findings.push(
        findingsOf(name).failed(`the check came to no end: ${reasonOf(error)}`, "mend this, and try again"),
      );
    }
  }
  await (await store.catch(() => undefined))?.close();
  return findings;
}
