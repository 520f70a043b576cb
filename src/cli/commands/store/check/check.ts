/** `fairlead store check`: compares the store with itself, and with what the edges answer. */
import { readMasterKeys, type Secrets, secretsFrom } from "../../../../lib/secrets.ts";
import type { BulkConnection } from "../../../../storage/connection/bulk.ts";
import type { Store } from "../../../../storage/db.ts";
import { runningPostgres } from "../../../../storage/embedded/postgres.ts";
import { masterKeysOf } from "../../../../storage/secrets/master-key.ts";
import { masterKeyFile } from "../../../host/directory.ts";
import { configOfStore, type Options, withStore } from "../../../host/stores.ts";
import { isWell, printed } from "../../../terminal/finding.ts";
import { checkCounters, checkSecrets } from "./contents.ts";
import { checkZones } from "./edges.ts";
import type { Findings } from "./findings.ts";
import { checkHistory } from "./history.ts";
import { checkSerials, checkStreams } from "./stream.ts";

export type CheckOptions = Options & { readonly json?: boolean };

/** Sets the exit code. */
export async function runCheck({ json = false, ...options }: CheckOptions): Promise<void> {
  const config = configOfStore(options);
  const withEdges = config.databaseUrl !== undefined || (await runningPostgres(config.data)) !== undefined;
  await withStore(config, async (store, url) => {
    const secrets = secretsOf(store, masterKeyFile(config));
    secrets.catch(() => {});
    const { findings: ofZones, ...counts } = await checkZones(url, withEdges);
    const findings = [...ofZones, ...(await ofOneMoment(store, secrets))].flatMap((each) => each.list());
    const text = printed(findings, json, counts);
    const last = json ? [] : [summary(counts, withEdges)];
    process.stdout.write(`${[text, ...last].filter((part) => part !== "").join("\n")}\n`);
    if (!isWell(findings)) process.exitCode = 1;
  });
}

async function secretsOf(store: Store, file: string): Promise<Secrets> {
  readMasterKeys(file);
  return secretsFrom(await masterKeysOf(store, file));
}

/** The checks that compare parts of the store, which may change meanwhile: they read one snapshot. */
async function ofOneMoment(store: Store, secrets: Promise<Secrets>): Promise<Findings[]> {
  const bulk: BulkConnection = await store.openBulk();
  try {
    await bulk.holdSnapshot();
    return [
      await checkStreams(bulk),
      await checkSerials(bulk),
      await checkCounters(bulk),
      await checkSecrets(bulk, secrets),
      await checkHistory(bulk),
    ];
  } finally {
    bulk.close();
  }
}

interface Counts {
  readonly zones: number;
  readonly records: number;
  readonly unnumbered: number;
  readonly edges: number;
}

function summary({ zones, records, unnumbered, edges }: Counts, withEdges: boolean): string {
  const busy = unnumbered === 0 ? "" : `, except ${unnumbered} zones that were being changed`;
  const compared = withEdges
    ? `compared with edges: ${edges}${busy}`
    : "not compared with edges: the service does not run";
  return `zones: ${zones}, records: ${records}, ${compared}`;
}
