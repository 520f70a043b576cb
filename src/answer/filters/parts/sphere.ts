/** Nearness of places without distances: points are unit vectors, and nearer points have a larger scalar product. */
import type { Coordinates } from "../contract/filter.ts";

/** Three numbers for each point. */
export type Points = Float64Array;

/** Larger than the nearness of any two points. */
export const here = 2;

const radians = Math.PI / 180;

export function pointsOf(places: readonly Coordinates[]): Points {
  const points = new Float64Array(places.length * 3);
  for (const [i, { latitude, longitude }] of places.entries()) setPoint(points, i, latitude, longitude);
  return points;
}

/** Sets point `i`, from degrees; the nearness of a point set from NaN is NaN. */
export function setPoint(points: Points, i: number, latitude: number, longitude: number): void {
  const across = Math.cos(latitude * radians);
  points[i * 3] = across * Math.cos(longitude * radians);
  points[i * 3 + 1] = across * Math.sin(longitude * radians);
  points[i * 3 + 2] = Math.sin(latitude * radians);
}

/** Nearness of point `i` of `a` to point `j` of `b`: from -1 on the opposite side of the earth to 1 at the same place. */
export const nearness = (a: Points, i: number, b: Points, j: number) =>
  a[i * 3]! * b[j * 3]! + a[i * 3 + 1]! * b[j * 3 + 1]! + a[i * 3 + 2]! * b[j * 3 + 2]!;

/** The largest nearness of point `i` of `a` to any point of `b`; `-Infinity` when `b` is empty. */
export function nearest(a: Points, i: number, b: Points): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let j = 0; j * 3 < b.length; j++) most = Math.max(most, nearness(a, i, b, j));
  return most;
}
