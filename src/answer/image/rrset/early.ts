/** Records that precede their zone in a change set. */
import type { Rrset } from "./rrset.ts";

interface EarlyRecord {
  readonly zoneId: string;
  readonly domain: string;
  readonly rrset: Rrset;
}

export class EarlyRecords {
  #records: EarlyRecord[] = [];

  add(zoneId: string, domain: string, rrset: Rrset): void {
    this.#records.push({ zoneId, domain, rrset });
  }

  /** Removes the records of a zone and returns them. */
  take(zoneId: string): EarlyRecord[] {
    return this.#drop((record) => record.zoneId === zoneId);
  }

  remove(zoneId: string, domain: string, type: number): void {
    this.#drop((record) => record.zoneId === zoneId && record.domain === domain && record.rrset.type === type);
  }

  clear(): void {
    this.#records = [];
  }

  #drop(isDropped: (record: EarlyRecord) => boolean): EarlyRecord[] {
    if (this.#records.length === 0) return [];
    const dropped = this.#records.filter(isDropped);
    this.#records = this.#records.filter((record) => !isDropped(record));
    return dropped;
  }
}
