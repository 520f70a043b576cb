/** Zones for tests of pages. */
import type { Service } from "../../service/kit.ts";

type Given = readonly [question: string, ...answers: readonly string[]];

/** A function that makes a zone for one test, with records whose TTL is 300. */
export const zonesOf =
  (service: Service) =>
  async (zone: string, ...records: readonly Given[]): Promise<void> => {
    await service.zone(zone, { nx_ttl: 300 });
    for (const [question, ...answers] of records) await service.put(zone, question, ...answers.map((one) => [one]));
  };
