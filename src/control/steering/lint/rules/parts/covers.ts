/** Finds what answers for records in place of their zone: a zone or a delegation at or above their name, or a DNAME above it. */
import { upwardsFrom } from "../../../../../dns/wire/name.ts";
import type { RecordRow } from "../../../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../../../storage/tables/zones.ts";
import { reachesRecord, reachesZone } from "../../../../access/access.ts";
import type { Ctx } from "../../../../write/context.ts";
import { findZones } from "../../../../zones/model/record/link-store.ts";
import { cutsAt, firstDelegations } from "./store.ts";
import { targetOf } from "./targets.ts";

const right = "dns.view_zones";

/** The zone, delegation or DNAME that answers at a name and below. */
export interface Cover {
  readonly kind: "zone" | "NS" | "DNAME";
  readonly name: string;
  /** The networks on which it answers; undefined for all of the record's zone. */
  readonly networks?: readonly number[] | undefined;
}

type Named = Pick<RecordRow, "domain" | "type">;

/** Names whose covers are looked up at once. */
const atOnce = 5000;
/** The zone's first records, among which delegations are searched for glue. */
const mostSearched = 20_000;

export class Covers {
  readonly #ctx: Ctx;
  readonly #zone: ZoneRow;
  #found = new Map<string, Cover[]>();
  #glue: ReadonlySet<string> | undefined;

  constructor(ctx: Ctx, zone: ZoneRow) {
    this.#ctx = ctx;
    this.#zone = zone;
  }

  /** Looks up what covers these records, in place of what covered the records before. */
  async find(records: readonly Named[]): Promise<void> {
    const names = [...new Set(records.flatMap(({ domain }) => this.#upTo(domain)))];
    this.#found = new Map();
    for (let at = 0; at < names.length; at += atOnce) {
      const some = names.slice(at, at + atOnce);
      for (const cover of [...(await this.#zones(some)), ...(await this.#cuts(some))]) {
        this.#found.set(cover.name, [...(this.#found.get(cover.name) ?? []), cover]);
      }
    }
    const isAddressBelow = ({ domain, type }: Named) => isAddress(type) && this.#coverOf(domain, type) !== undefined;
    if (this.#glue === undefined && records.some(isAddressBelow)) this.#glue = await this.#findGlue();
  }

  /** Returns what answers in place of a record; undefined for a record that is answered, or that a referral contains. */
  of({ domain, type }: Named): Cover | undefined {
    return isAddress(type) && this.#glue?.has(domain) ? undefined : this.#coverOf(domain, type);
  }

  /** The zone with the longest name, as the engine finds it; else the highest delegation or DNAME. */
  #coverOf(domain: string, type: string): Cover | undefined {
    const all = this.#upTo(domain).flatMap((name) => this.#found.get(name) ?? []);
    const covering = all.filter(({ kind, name }) => name !== domain || (kind !== "DNAME" && !belongsToCut(type)));
    return covering.find(({ kind }) => kind === "zone") ?? covering.at(-1);
  }

  /** The name and those above it, below the apex. */
  #upTo(domain: string): string[] {
    const { zone } = this.#zone;
    return upwardsFrom(domain).filter((name) => name.length > zone.length);
  }

  async #zones(names: readonly string[]): Promise<Cover[]> {
    const { db, account_id, caller } = this.#ctx;
    const own = this.#zone.networks;
    const found = await findZones(db, account_id, names);
    return found.flatMap(({ zone: name, networks, hidden }) => {
      const shared = own.filter((id) => networks.includes(id));
      if (hidden || shared.length === 0 || !reachesZone(caller.access, right, name)) return [];
      return [{ kind: "zone" as const, name, networks: shared.length === own.length ? undefined : shared }];
    });
  }

  async #cuts(names: readonly string[]): Promise<Cover[]> {
    const { db, caller } = this.#ctx;
    const open = (await cutsAt(db, this.#zone, names)).filter(({ domain, type }) =>
      reachesRecord(caller.access, right, this.#zone.zone, domain, type),
    );
    return open.map(({ domain, type }) => ({ kind: type === "NS" ? "NS" : "DNAME", name: domain }));
  }

  /** Names of servers to which the zone delegates. */
  async #findGlue(): Promise<ReadonlySet<string>> {
    const found = await firstDelegations(this.#ctx.db, this.#zone, mostSearched);
    const delegations = found.filter(({ domain }) => domain !== this.#zone.zone);
    return new Set(
      delegations.flatMap(({ type, answers }) => answers.flatMap(({ answer }) => targetOf(type, answer) ?? [])),
    );
  }
}

const isAddress = (type: string) => type === "A" || type === "AAAA";

/** Whether the zone above a delegation answers this type at its name (RFC 4035 section 3.1.4.1). */
const belongsToCut = (type: string) => type === "NS" || type === "DS";
