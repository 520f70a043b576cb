/** New records of a separate zone, over the API. */
import type { Client, Fields } from "./api.ts";

export interface Shown {
  readonly answers: { id: string; answer: unknown[]; meta?: Fields; region?: string }[];
  readonly [field: string]: unknown;
}

export const rr = (...answer: (string | number)[]) => ({ answer });

/** Makes the zone. */
export async function recordsOf(api: Client, zone: string) {
  await api.must("PUT", `zones/${zone}`, { nx_ttl: 300 });
  let count = 0;
  const at = (domain: string, type: string) => `zones/${zone}/${domain}/${type}`;
  return {
    fresh: () => `r${++count}.${zone}`,
    at,
    put: (domain: string, type: string, body: Fields) => api.must<Shown>("PUT", at(domain, type), body),
  };
}
