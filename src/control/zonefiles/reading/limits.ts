/** The limits of imports and exports. */
import { limits as account } from "../../kit/limits.ts";

export const limits = {
  /** Records of the file, each with its own RDATA: one line of `$GENERATE` makes many. */
  records: account.importedRecords,
  /** RRsets whose records are scattered over the file, which are gathered in memory. */
  scattered: 100_000,
  /** Faults that are reported, and warnings that are reported. */
  messages: 100,
  /** Imports that are being sent, wait or run: in total, per account, and the hard maximum for accounts below their share. */
  imports: { all: 20, own: account.imports, most: 60 },
  /** Exports on the disk until their clients have received them: in total and per account. */
  exports: { all: 64, own: account.exports },
  /** Exports written at the same time: in total and per account. */
  exportsWritten: { all: 8, own: account.exportsWritten },
  /** Octets of an export, which repeats a large record for every link to it. */
  exported: 2 * 1024 * 1024 * 1024,
  /** Seconds for which finished jobs are kept. */
  kept: 24 * 60 * 60,
} as const;
