/** Returns a number of at least 0 and below 1: randomness is an argument, so that a seed repeats a run. */
export type Random = () => number;
