/** What imports and exports take on. */
import { limits as account } from "../../kit/limits.ts";

export const limits = {
  /** Records of the file, each with RDATA of its own: a line of `$GENERATE` makes many. */
  records: account.importedRecords,
  /** RRsets whose records stand in several places of the file, which are gathered in memory. */
  scattered: 100_000,
  /** Faults and warnings that are told. */
  messages: 100,
  /** Imports that are being sent, wait or go on: of all accounts, of one, and with accounts that have less than their part. */
  imports: { all: 20, own: account.imports, most: 60 },
  /** Exports on the disk, until their clients have them: of all accounts, and of one. */
  exports: { all: 64, own: account.exports },
  /** Exports that are written at once: of all accounts, and of one. */
  exportsWritten: { all: 8, own: account.exportsWritten },
  /** Octets of an export, which may have what is large as often as there are links to it. */
  exported: 2 * 1024 * 1024 * 1024,
  /** Seconds for which jobs that are finished can be asked for. */
  kept: 24 * 60 * 60,
} as const;
