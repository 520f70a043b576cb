/** The changes of one transaction. */
import { newId } from "../../lib/ids.ts";
import type { ZoneDifference } from "../../storage/outbox/changes.ts";
import type { Change } from "../../sync/change.ts";
import { type Difference, merged } from "./history.ts";
import type { Amounts } from "./quota/quota.ts";

/** The steps for the edges, and the difference of each zone for its history. */
export class Changes {
  readonly steps: Change[] = [];
  #id: string | undefined;
  readonly #zones = new Map<string, Difference[]>();
  readonly #restored = new Map<string, number>();
  readonly #touched = new Set<string>();
  #growth: Amounts = { zones: 0, records: 0, octets: 0 };
  /** The serials that other servers gave, by zone id; null keeps the present serial. */
  #given: Record<string, number | null> | undefined;

  /** Adds steps, and a difference for the zone's history. A zone without a difference still gets a new serial. */
  add(zone_id: string, steps: readonly Change[], difference: Difference = {}): void {
    for (const step of steps) this.steps.push(step);
    const differences = this.#zones.get(zone_id) ?? [];
    if (difference.removed ?? difference.added) differences.push(difference);
    this.#zones.set(zone_id, differences);
  }

  /** Marks a zone whose answers change without a change of its own: it gets a new serial and version. */
  touch(zone_id: string): void {
    this.#touched.add(zone_id);
    this.add(zone_id, []);
  }

  /** Notes that the zone is restored to the version with this serial. */
  restore(zone_id: string, serial: number): void {
    this.#restored.set(zone_id, serial);
  }

  /** Notes what the change adds to the account, or takes away, for its quota. */
  grow({ zones = 0, records = 0, octets = 0 }: Partial<Amounts>): void {
    const { zones: z, records: r, octets: o } = this.#growth;
    this.#growth = { zones: z + zones, records: r + records, octets: o + octets };
  }

  get growth(): Amounts {
    return this.#growth;
  }

  /** The id of the change that the transaction will leave. */
  get id(): string {
    this.#id ??= newId();
    return this.#id;
  }

  /** Sets the zone's next serial to one that another server gave; null keeps the present serial. */
  giveSerial(zone_id: string, serial: number | null): void {
    this.#given = { ...this.#given, [zone_id]: serial };
  }

  get given() {
    return this.#given;
  }

  get zoneIds(): string[] {
    return [...this.#zones.keys()];
  }

  /** The merged differences of each zone, by its id. */
  get differences(): [zone_id: string, differences: Difference[]][] {
    return [...this.#zones].map(([zone_id, differences]) => [zone_id, merged(differences)]);
  }

  get history(): ZoneDifference[] {
    return this.differences.flatMap(([zone_id, differences]) => {
      const removed = differences.flatMap((difference) => difference.removed ?? []);
      const added = differences.flatMap((difference) => difference.added ?? []);
      const restored = this.#restored.get(zone_id);
      if (differences.length === 0 && !this.#touched.has(zone_id)) return [];
      return { zone_id, removed, added, ...(restored === undefined ? {} : { restored }) };
    });
  }
}
