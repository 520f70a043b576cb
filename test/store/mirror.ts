/** A follower for tests: saves the messages of the stream, and checks their order. */
import type { Baseline, ChangeSet, Follower, RecordState, ZoneState } from "../../src/sync/change.ts";

export class Mirror implements Follower {
  zones = new Map<string, ZoneState>();
  records = new Map<string, RecordState>();
  serials = new Map<string, number>();
  /** Every change set since the last baseline. */
  sets: ChangeSet[] = [];
  baselines: number[] = [];
  /** Called after each application, with the newest change sets. */
  onApply: (sets: readonly ChangeSet[]) => void = () => {};

  get revision(): number {
    return this.sets.at(-1)?.revision ?? this.baselines.at(-1) ?? 0;
  }

  async start(baseline: Baseline): Promise<void> {
    for (const state of [this.zones, this.records, this.serials]) state.clear();
    this.sets = [];
    for await (const batch of baseline.zones()) {
      for (const { zone, serial } of batch) {
        this.zones.set(zone.id, zone);
        this.serials.set(zone.id, serial);
      }
    }
    for await (const batch of baseline.records()) for (const record of batch) this.records.set(keyOf(record), record);
    this.baselines.push(baseline.revision);
  }

  apply(sets: readonly ChangeSet[]): void {
    for (const set of sets) this.#applyOne(set);
    this.sets.push(...sets);
    this.onApply(sets);
  }

  #applyOne({ changes, serials }: ChangeSet) {
    for (const change of changes) {
      if (change.kind === "zone") this.zones.set(change.zone.id, change.zone);
      if (change.kind === "zone_removed") this.zones.delete(change.zone_id);
      if (change.kind === "record") this.records.set(keyOf(change.record), change.record);
      if (change.kind === "record_removed") this.records.delete(keyOf(change));
    }
    for (const [zone, serial] of Object.entries(serials)) this.serials.set(zone, serial);
  }

  /** Resolves when a revision has been applied. */
  async reaches(revision: number, within = 10_000): Promise<void> {
    const deadline = performance.now() + within;
    while (this.revision < revision) {
      if (performance.now() > deadline) throw new Error(`the follower is at ${this.revision}, not at ${revision}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
}

export const keyOf = ({ zone_id, domain, type }: Pick<RecordState, "zone_id" | "domain" | "type">) =>
  `${zone_id} ${domain} ${type}`;
