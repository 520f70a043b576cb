/** What an import takes on. */

export const limits = {
  /** Records of the file, each with RDATA of its own: a line of `$GENERATE` makes many. */
  records: 10_000_000,
  /** RRsets whose records stand in several places of the file, which are gathered in memory. */
  scattered: 100_000,
  /** Faults and warnings that are told. */
  messages: 100,
  /** Imports that are being sent, wait or go on: of all accounts, and of one. */
  places: 8,
  ownPlaces: 4,
  /** Exports that are written at once. */
  exports: 8,
  /** Seconds for which jobs that are finished can be asked for. */
  kept: 24 * 60 * 60,
} as const;
