/** Data that make the engine throw or spin: their last change is reverted, or their zone is shut. */
import type { FormerRrset, ImageWriter, NameHandle } from "../../answer/image/writer/writer.ts";
import type { Log } from "../../lib/log.ts";
import type { Change, ChangeSet } from "../../sync/change.ts";

/** A fault caused by a zone's data, met during the look-up of a name, which is known only by its hash. */
export interface DataFault extends NameHandle {
  readonly how: "throws" | "spins";
}

/** A name that is answered as it was before its last change, or a zone from which nothing is answered. */
export type Quarantined =
  | { readonly kind: "name"; readonly zoneId: string; readonly zone: string; readonly domain: string }
  | { readonly kind: "zone"; readonly zoneId: string; readonly zone: string };

/** The first names and zones in quarantine, for display. */
export interface QuarantineStatus {
  /** Answered as before their last change. */
  readonly names: readonly string[];
  /** Zones that are not answered. */
  readonly zones: readonly string[];
}

/** Maximum names and zones in a status. */
const mostShown = 20;
/** Faults after which a zone is shut. */
const mostFaults = 2;
/** Maximum names whose last change can be reverted, and octets kept for that; the oldest changes are dropped first. */
const mostNames = 10_000;
const mostOctets = 64 * 1024 * 1024;

/** The RRsets at a name before the change set of a revision. */
interface Before {
  readonly revision: number;
  readonly zoneId: string;
  readonly rrsets: FormerRrset[];
}

export class Quarantine {
  /** Grows with each change of the quarantine: a snapshot of an older version is outdated. */
  version = 0;
  readonly #log: Log;
  readonly #before = new Map<string, Before>();
  /** Octets of all RRsets in `#before`. */
  #octets = 0;
  /** Faults of zones that are not shut, by zone id. */
  readonly #faults = new Map<string, number>();
  readonly #held = new Map<string, Quarantined>();

  constructor(log: Log) {
    this.#log = log;
  }

  list(): Quarantined[] {
    return [...this.#held.values()];
  }

  status(): QuarantineStatus {
    const held = this.list();
    return {
      names: held.flatMap((one) => (one.kind === "name" ? one.domain : [])).slice(0, mostShown),
      zones: held.flatMap((one) => (one.kind === "zone" ? one.zone : [])).slice(0, mostShown),
    };
  }

  /** Starts with the quarantine of a snapshot. */
  restore(held: readonly Quarantined[]): void {
    for (const one of held) this.#held.set(keyOf(one), one);
  }

  /** Must be called when all data were replaced. */
  clear(): void {
    this.#before.clear();
    this.#octets = 0;
    this.#faults.clear();
    if (this.#held.size > 0) this.version++;
    this.#held.clear();
  }

  /** Must be called before a change is staged: keeps the data that it replaces, and releases its name. */
  note(image: ImageWriter, change: Change, revision: number): void {
    if (change.kind === "zone_removed" || change.kind === "contents") this.#forget(change.zone_id);
    if (change.kind !== "record" && change.kind !== "record_removed") return;
    const { zone_id, domain, type } = change.kind === "record" ? change.record : change;
    this.#release(keyOf({ kind: "name", zoneId: zone_id, domain }));
    const former = image.former({ zone_id, domain, type });
    const handle = former ?? image.handleOf({ zone_id, domain });
    if (!handle) return;
    const key = keyOfHandle(handle);
    const known = this.#take(key);
    // only the last change of a name is reverted
    const rrsets = known?.revision === revision ? known.rrsets : [];
    if (former) rrsets.push(former);
    if (rrsets.length === 0) return;
    this.#before.set(key, { revision, zoneId: zone_id, rrsets });
    this.#octets += octetsOf(rrsets);
    while (this.#before.size > mostNames || this.#octets > mostOctets) this.#take(this.#before.keys().next().value!);
  }

  /** Releases the zones of a change set, because the change may have corrected their data. */
  reopen(image: ImageWriter, { serials }: ChangeSet): void {
    if (this.#held.size === 0 && this.#faults.size === 0) return;
    for (const zoneId of Object.keys(serials)) {
      this.#faults.delete(zoneId);
      if (this.#release(keyOf({ kind: "zone", zoneId }))) image.setShut(zoneId, false);
    }
  }

  /** Stages the reaction to a fault; returns whether it changed the image. */
  fault(image: ImageWriter, fault: DataFault): boolean {
    const found = image.zoneAt(fault.data);
    if (!found) return false;
    const { id: zoneId, zone } = found;
    const about = { zone, how: fault.how };
    const before = this.#take(keyOfHandle(fault));
    if (before) {
      const { domain } = before.rrsets[0]!;
      for (const rrset of before.rrsets) image.putBack(rrset);
      this.#hold({ kind: "name", zoneId, zone, domain });
      this.#log.error(
        { ...about, domain, revision: before.revision },
        "the engine fails at a name, which is answered as before its last change",
      );
      return true;
    }
    const faults = (this.#faults.get(zoneId) ?? 0) + 1;
    this.#faults.set(zoneId, faults);
    if (faults < mostFaults) {
      this.#log.error({ ...about, faults }, "the engine fails at a zone, which is shut at the next fault");
      return false;
    }
    this.#faults.delete(zoneId);
    image.setShut(zoneId, true);
    this.#hold({ kind: "zone", zoneId, zone });
    this.#log.error(about, "the engine fails at a zone, which is shut until it changes");
    return true;
  }

  /** Forgets a zone: its data are freed, and another zone's data may get the same address. */
  #forget(zoneId: string): void {
    for (const [key, before] of this.#before) if (before.zoneId === zoneId) this.#take(key);
    for (const [key, one] of this.#held) if (one.zoneId === zoneId) this.#release(key);
  }

  #take(key: string): Before | undefined {
    const before = this.#before.get(key);
    if (this.#before.delete(key)) this.#octets -= octetsOf(before!.rrsets);
    return before;
  }

  #hold(one: Quarantined): void {
    this.#held.set(keyOf(one), one);
    this.version++;
  }

  #release(key: string): boolean {
    if (!this.#held.delete(key)) return false;
    this.version++;
    return true;
  }
}

const octetsOf = (rrsets: readonly FormerRrset[]) => rrsets.reduce((sum, { rrset }) => sum + rrset.octets.length, 0);

const keyOfHandle = ({ data, name }: NameHandle) => `${data} ${name}`;

type Key =
  | { readonly kind: "name"; readonly zoneId: string; readonly domain: string }
  | { readonly kind: "zone"; readonly zoneId: string };
const keyOf = (one: Key) => (one.kind === "name" ? `${one.zoneId} ${one.domain}` : one.zoneId);
