/** What an import takes on: the change of an imported zone is one message, which control and edges hold in memory. */

export const limits = {
  /** Octets of a request's body. */
  octets: 32 * 1024 * 1024,
  /** Records of the file, each with RDATA of its own. */
  records: 200_000,
  /** Faults and warnings that are told. */
  messages: 100,
  /** Imports that wait for the one that goes on. */
  waiting: 8,
  /** Finished jobs that are kept, of all accounts. */
  jobs: 100,
} as const;
