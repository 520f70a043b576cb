/** Weighted draws without replacement. */

/**
 * A sort key: sorting by it, lowest first, is a draw without replacement by weight (Efraimidis and Spirakis, 2006).
 * `uniform` is from 0 up to, not including, 1. NaN, which sorts last, for a weight that is not above 0.
 */
export const drawKey = (weight: number, uniform: number) => (weight > 0 ? -Math.log(1 - uniform) / weight : Number.NaN);
