/** The public URL of the running service, saved in the data directory for commands that print links. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { keys } from "../../config/keys.ts";
import type { Log } from "../../lib/log.ts";
import { publicUrlOf } from "./mail.ts";

const fileOf = ({ data }: Pick<Config, "data">) => join(data, "address");

/** Logs errors instead of throwing: a full disk must not stop the service. */
export function keepAddress(config: Config, log: Log): void {
  try {
    writeFileSync(fileOf(config), `${publicUrlOf(config)}\n`, { mode: 0o600 });
  } catch (error) {
    log.warn({ reason: String(error) }, "the public URL could not be saved for commands on this host");
  }
}

export const forgetAddress = (config: Config): void => rmSync(fileOf(config), { force: true });

/** The URL from the command's own configuration, otherwise the running service's, otherwise the default. */
export function addressOf(config: Config): { publicUrl: string; isAssumed: boolean } {
  const isConfigured = config.publicUrl !== undefined || config.http !== keys.http.fallback;
  const saved = isConfigured ? undefined : savedAddress(config);
  return { publicUrl: saved ?? publicUrlOf(config), isAssumed: !isConfigured && saved === undefined };
}

function savedAddress(config: Config): string | undefined {
  try {
    return keys.publicUrl.parse(readFileSync(fileOf(config), "utf8").trim());
  } catch {
    return undefined;
  }
}
