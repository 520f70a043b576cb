/** Values of the word in shared memory that tells a worker to stop; 0 while it runs. */

export const stopping = {
  /** Connections are closed as soon as their answers are sent. */
  now: 1,
  /** Another edge listens on the same sockets: connections have time to end. */
  retiring: 2,
} as const;

/** Milliseconds for which an edge still serves its connections after another edge has taken over. */
export const retireWithin = 5000;
