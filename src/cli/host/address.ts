/** Where people reach the service that runs in a data directory, kept there for commands that print links. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { keys } from "../../config/keys.ts";
import type { Log } from "../../lib/log.ts";
import { publicUrlOf } from "./mail.ts";

const fileOf = ({ data }: Pick<Config, "data">) => join(data, "address");

/** A disk that is full keeps no service from running. */
export function keepAddress(config: Config, log: Log): void {
  try {
    writeFileSync(fileOf(config), `${publicUrlOf(config)}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn({ reason: String(error) }, "where the service is reached cannot be kept for commands on this host");
  }
}

export const forgetAddress = (config: Config): void => rmSync(fileOf(config), { force: true });

/** What the command was told itself, else what the service is reached by, else what is so by default. */
export function addressOf(config: Config): { publicUrl: string; isAssumed: boolean } {
  const isTold = config.publicUrl !== undefined || config.http !== keys.http.fallback;
  const kept = isTold ? undefined : keptAddress(config);
  return { publicUrl: kept ?? publicUrlOf(config), isAssumed: !isTold && kept === undefined };
}

function keptAddress(config: Config): string | undefined {
  try {
    return keys.publicUrl.parse(readFileSync(fileOf(config), "utf8").trim());
  } catch {
    return undefined;
  }
}
