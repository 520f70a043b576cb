/** Checks rights to the files of the service. */
import { accessSync, constants, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../../config/config.ts";
import { readMasterKeys } from "../../../lib/secrets.ts";
import { masterKeyFile } from "../../host/directory.ts";
import { type Finding, findingsOf, reasonOf } from "../../terminal/finding.ts";
import { findAccount } from "../../user/account.ts";
import { ownerOf } from "../../user/take-over.ts";

const { ok, warning, failed } = findingsOf("rights");

type Wanted = Pick<Config, "data" | "user" | "masterKeyFile" | "tlsCert" | "tlsKey" | "networks" | "geo">;

export function checkRights(config: Wanted): Finding[] {
  return [...checkDirectory(config), ...checkMasterKey(config), ...checkFiles(config)];
}

function checkDirectory({ data, user }: Wanted): Finding[] {
  const owner = ownerOf(data);
  if (!owner) return [ok(`${data} does not exist yet: the first start makes it`)];
  const { mode } = statSync(data);
  const unwritable = obstacle(() => {
    const trial = join(data, `doctor.${process.pid}`);
    writeFileSync(trial, "", { flag: "wx" });
    rmSync(trial);
  });
  if (unwritable !== undefined) {
    const advice = "run the doctor as the user of the service or as root; if it was, mount the disk for writing";
    return [failed(`${data} cannot be written: ${unwritable}`, advice)];
  }
  const findings: Finding[] = [];
  const wanted = user === undefined ? undefined : findAccount(user);
  if (wanted && owner.uid !== 0 && wanted.uid !== owner.uid) {
    findings.push(failed(`${data} does not belong to --user ${user}`, `chown -R ${user}: ${data}`));
  }
  const others = readdirSync(data).filter((name) => (ownerOf(join(data, name)) ?? owner).uid !== owner.uid);
  if (others.length > 0) {
    const name = findAccount(owner.uid)?.name ?? owner.uid;
    const text = `in ${data}, ${others.join(", ")} ${others.length > 1 ? "belong" : "belongs"} to another user`;
    findings.push(failed(text, `chown -R ${name}: ${data}`));
  }
  if ((mode & 0o077) !== 0) findings.push(warning(`others may enter ${data}`, `chmod 700 ${data}`));
  return findings.length > 0 ? findings : [ok(`${data} belongs to one user, who alone can enter it`)];
}

function checkMasterKey(config: Wanted): Finding[] {
  const file = masterKeyFile(config);
  if (!existsSync(file)) {
    if (!existsSync(join(config.data, "store"))) return [ok(`${file} does not exist yet: the first start makes it`)];
    return [failed(`${file} is missing, and the store is sealed with it`, "put the file back from its safe copy")];
  }
  const unread = obstacle(() => void readMasterKeys(file));
  if (unread !== undefined) return [failed(unread, "run the doctor as the user of the service or as root")];
  const isOpen = (statSync(file).mode & 0o077) !== 0;
  return [isOpen ? warning(`others may read ${file}`, `chmod 600 ${file}`) : ok(`only its owner can read ${file}`)];
}

function checkFiles({ tlsCert, tlsKey, networks, geo }: Wanted): Finding[] {
  const named = [
    ["--tls-cert", tlsCert],
    ["--tls-key", tlsKey],
    ["--networks", networks],
    ...geo.map((file) => ["--geo", file] as const),
  ] as const;
  return named.flatMap(([flag, file]) => {
    if (file === undefined) return [];
    const reason = obstacle(() => accessSync(file, constants.R_OK));
    const advice = "name a file that exists, and let the user of the service read it";
    return [reason === undefined ? ok(`${file} (${flag}) can be read`) : failed(`${flag}: ${reason}`, advice)];
  });
}

function obstacle(use: () => void): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
