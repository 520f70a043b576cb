/** API calls that each create one record, or update one that the same client created. */
import type { Call } from "./client.ts";

export interface Writes {
  create(client: number, n: number): Call;
  update(client: number): Call;
}

/** Writes of records whose names begin with `label`, in the zone of each client. */
export function writesOf(label: string, zoneOf: (client: number) => string): Writes {
  /** How many records each client has created. */
  const created = new Map<number, number>();
  /** How many updates each client has sent. */
  const updated = new Map<number, number>();
  const record = (client: number, n: number, number: number) => {
    const zone = zoneOf(client);
    return recordOf(zone, `${label}-${client}-${n}`, number);
  };
  return {
    create(client, n) {
      const body = record(client, n, n);
      created.set(client, n + 1);
      return { method: "PUT", path: `zones/${body.zone}/${body.domain}/A`, body };
    },
    update(client) {
      const n = updated.get(client) ?? 0;
      updated.set(client, n + 1);
      // an address that the record never had: an update that changes nothing costs less
      const { zone, domain, answers } = record(client, n % created.get(client)!, n + 7);
      return { method: "POST", path: `zones/${zone}/${domain}/A`, body: { answers } };
    },
  };
}

export function recordOf(zone: string, label: string, n: number) {
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
  return { zone, domain: `${label}.${zone}`, type: "A", answers: [{ answer: [address] }] };
}
