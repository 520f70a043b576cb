/** Records that come before their zone in a change set. */
import type { Rrset } from "../rrset/rrset.ts";

interface ZonelessRecord {
  readonly domain: string;
  readonly rrset: Rrset;
}

export class ZonelessRecords {
  /** By zone id, then by type and domain. */
  readonly #zones = new Map<string, Map<string, ZonelessRecord>>();

  add(zoneId: string, domain: string, rrset: Rrset): void {
    const records = this.#zones.get(zoneId) ?? new Map<string, ZonelessRecord>();
    this.#zones.set(zoneId, records.set(`${rrset.type} ${domain}`, { domain, rrset }));
  }

  /** Removes the records of a zone and returns them. */
  take(zoneId: string): ZonelessRecord[] {
    const records = [...(this.#zones.get(zoneId)?.values() ?? [])];
    this.#zones.delete(zoneId);
    return records;
  }

  remove(zoneId: string, domain: string, type: number): void {
    this.#zones.get(zoneId)?.delete(`${type} ${domain}`);
  }

  clear(): void {
    this.#zones.clear();
  }
}
