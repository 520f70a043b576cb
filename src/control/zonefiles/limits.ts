/** What an import takes on. */

export const limits = {
  /** Records of the file, each with RDATA of its own: a line of `$GENERATE` makes many. */
  records: 10_000_000,
  /** RRsets whose records stand in several places of the file, which are gathered in memory. */
  scattered: 100_000,
  /** Faults and warnings that are told. */
  messages: 100,
  /** Imports that wait for the one that goes on. */
  waiting: 8,
  /** Seconds for which jobs that are finished can be asked for. */
  kept: 24 * 60 * 60,
} as const;
