/** Returns a number from 0 up to, but not including, 1. Passed as an argument, so that a seed can repeat a run. */
export type Random = () => number;
