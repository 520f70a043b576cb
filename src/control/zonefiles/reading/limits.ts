/** The limits of imports and exports. */
import { limits } from "../../kit/limits.ts";

export const fileLimits = {
  /** Records of the file, each with its own RDATA: one `$GENERATE` line makes many records. */
  records: limits.importedRecords,
  /** RRsets whose records are scattered over the file, which are gathered in memory. */
  scattered: 100_000,
  /** Faults that are reported, and warnings that are reported. */
  messages: 100,
  /** Unfinished imports: in total, per account, and the hard maximum for accounts below their share. */
  imports: { all: 20, own: limits.imports, most: 60 },
  /** Imports that run: they write their slices in turn. Further ones wait. */
  importsRunning: { all: 4, own: 1, most: 8, waiting: { all: 60 } },
  /** Exports on the disk until their clients have received them: in total and per account. */
  exports: { all: 64, own: limits.exports },
  /** Exports written at the same time: in total and per account. */
  exportsWritten: { all: 8, own: limits.exportsWritten },
  /** Octets of an export, which repeats a large record for every link to it. */
  exported: 2 * 1024 * 1024 * 1024,
  /** Seconds for which finished jobs are kept. */
  kept: 24 * 60 * 60,
} as const;
