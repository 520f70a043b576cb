/** Distances on the earth in kilometres, for sorting by nearness. */
import type { Georegion } from "./facts.ts";
import { regionCentres } from "./places.ts";

const earthRadius = 6371;
const radians = Math.PI / 180;

/** Great-circle distance in kilometres (haversine, on a sphere); all arguments in degrees. */
export function distance(latitude1: number, longitude1: number, latitude2: number, longitude2: number): number {
  const north = Math.sin(((latitude2 - latitude1) * radians) / 2);
  const east = Math.sin(((longitude2 - longitude1) * radians) / 2);
  const half = north * north + Math.cos(latitude1 * radians) * Math.cos(latitude2 * radians) * east * east;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(half)));
}

/** Distance in kilometres between the middles of two regions; 0 for the same one. */
export function regionDistance(one: Georegion, other: Georegion): number {
  const [a, b] = [regionCentres[one], regionCentres[other]];
  return distance(a.latitude, a.longitude, b.latitude, b.longitude);
}
