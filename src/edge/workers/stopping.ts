/** The word in shared memory by which a worker is stopped; 0 while it runs. */

export const stopping = {
  /** Connections are closed as soon as their answers are sent. */
  now: 1,
  /** Another edge listens on the same sockets: connections have time to end. */
  retiring: 2,
} as const;

/** Milliseconds for which connections are still served by an edge that another one has taken over from. */
export const retireWithin = 5000;
