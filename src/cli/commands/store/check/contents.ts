/** Whether stored counters are those of what they count, and every sealed secret opens. */
import type { Secrets } from "../../../../lib/secrets.ts";
import type { BulkConnection } from "../../../../storage/connection/bulk.ts";
import { assertOpens, type TextRow } from "../../../../storage/secrets/sealed.ts";
import { reasonOf } from "../../../terminal/finding.ts";
import { Findings } from "./findings.ts";
import { correction, idOfSecret, sealedTables, secretsText, type WrongCount, wrongCellsText } from "./store.ts";

const rowsAtOnce = 500;

export async function checkCounters(store: BulkConnection): Promise<Findings> {
  const findings = new Findings("counters");
  for await (const rows of store.read<WrongCount>(wrongCellsText, rowsAtOnce)) {
    for (const row of rows) {
      const { account_id, kept, counted } = row;
      const text = `the account ${account_id} is counted with ${kept} cells of live values, but its feeds have ${counted}`;
      findings.failed(text, `run in the store, while nobody pushes: ${correction(row)}`);
    }
  }
  return findings;
}

/** `opening` rejects if there is no master key for this store. */
export async function checkSecrets(store: BulkConnection, opening: Promise<Secrets>): Promise<Findings> {
  const findings = new Findings("secrets");
  let secrets: Secrets;
  try {
    secrets = await opening;
  } catch (error) {
    findings.failed(`no secret was checked: ${reasonOf(error)}`, "name the file with --master-key-file or --data");
    return findings;
  }
  for (const table of sealedTables) {
    for await (const rows of store.read<TextRow>(secretsText(table), rowsAtOnce)) {
      for (const row of rows) {
        try {
          assertOpens(table, row, secrets);
        } catch (error) {
          findings.failed(
            `${table} ${idOfSecret(table, row)} of the account ${row["account_id"]}: ${reasonOf(error)}`,
            "set this secret again or remove it, or put back a backup; the master key itself opens the others",
          );
        }
      }
    }
  }
  return findings;
}
