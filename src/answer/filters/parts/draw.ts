/** Weighted draws without replacement. */

/**
 * A sort key: a sort by it, lowest first, is a draw without replacement by weight (Efraimidis and Spirakis, 2006).
 * `uniform` is at least 0 and below 1. For a weight that is not above 0 the key is NaN, which sorts last.
 */
export const drawKey = (weight: number, uniform: number) => (weight > 0 ? -Math.log(1 - uniform) / weight : Number.NaN);
