/** A record with a chain of four filters, which chooses by country, health and weight. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../../test/service/kit.ts";
import { apex } from "./zone.ts";

export const steered = `steered.${apex}`;
export const weights = [1, 2, 3, 4];
const filters = [
  { filter: "geofence_country", config: { remove_no_location: true } },
  { filter: "up", config: {} },
  { filter: "weighted_shuffle", config: {} },
  { filter: "select_first_n", config: { N: 1 } },
];

/** Writes a geo file for two countries; the client subnet of the benches is in the first. */
export function geoFile(directory: string): string {
  const path = join(directory, "countries.csv");
  writeFileSync(path, "20.0.0.0,20.255.255.255,DE\n30.0.0.0,30.255.255.255,FR\n");
  return path;
}

/**
 * Creates a record with four answers for DE and AT, and one for FR; each is up and has a weight. Waits until the record
 * is answered.
 */
export async function putSteered(running: Service): Promise<void> {
  const answers = weights.map((weight) => ({
    answer: [`192.0.2.${weight}`],
    meta: { country: ["DE", "AT"], up: true, weight },
  }));
  await running.must("PUT", `zones/${apex}/${steered}/A`, {
    ttl: 60,
    answers: [...answers, { answer: ["192.0.2.9"], meta: { country: ["FR"], up: true, weight: 1 } }],
    filters,
  });
  while ((await running.ask(`${steered} A`, "+subnet=20.1.2.0/24")).length !== 1);
}
