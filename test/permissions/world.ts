/** The zones and records of one account, which the generated calls change, and the account as its first key sees it. */
import type { Universe } from "./power.ts";
import type { Permissions, RecordName } from "./rules.ts";

export interface Reply {
  readonly status: number;
  // replies of all kinds: the callers know the kind
  readonly body: never;
  readonly text: string;
}

/** The cookies of a user's browser. */
export interface Session {
  readonly cookie: string;
  readonly csrf: string;
}

/** A call with a key's string or in a session; `path` begins after `/v1/`. */
export type Send = (credential: string | Session, method: string, path: string, body?: unknown) => Promise<Reply>;

export interface Holder {
  readonly id: string;
  readonly name: string;
  readonly username?: string;
  readonly key?: string;
  readonly teams: readonly string[];
  readonly permissions: Permissions;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  readonly permissions: Permissions;
}

/** All members except the first key and the first users. */
export interface Members {
  readonly keys: readonly Holder[];
  readonly users: readonly Holder[];
  readonly teams: readonly Team[];
}

/** The names of linked records begin with this label, and no other names do. */
export const linkedLabel = "linked.";
const labels = ["", "www", "a.www", "b.a.www", "xwww", "*.www", "free", "x.free"];
export const types = ["A", "TXT"] as const;
export const delegations = ["NS", "DNAME"] as const;
const firstRecords = ["www A", "a.www TXT", "xwww A", "*.www A"];
const sample: Readonly<Record<string, string>> = {
  A: "192.0.2.1",
  TXT: "text",
  NS: "ns.elsewhere.example",
  DNAME: "elsewhere.example",
};

export class World {
  /** The initial zones, and one that may be created. */
  readonly zones: readonly string[];
  readonly fresh: string;
  readonly universe: Universe;
  /** Part of the names of all zones of this account, and of no other account. */
  readonly label: string;
  /** The records of each existing zone, as `domain type`. */
  readonly records = new Map<string, Set<string>>();
  /** Deleted zones that can be restored, with their records. */
  readonly deleted = new Map<string, readonly string[]>();
  /** The targets of linked records, by `domain type`. */
  readonly targets = new Map<string, RecordName>();
  readonly #touched = new Set<string>();
  /** Ids of the initial users of the account. */
  readonly #first = new Set<string>();
  readonly #admin: string;
  #key = "";
  readonly #send: Send;

  constructor(label: string, admin: string, send: Send) {
    this.label = label;
    this.#admin = admin;
    this.#send = send;
    this.zones = [`one.${label}.example`, `two.${label}.example`, `sub.one.${label}.example`];
    this.fresh = `new.${label}.example`;
    const zones = [...this.zones, this.fresh, `other.${label}.example`];
    const places = zones.flatMap((zone) =>
      labels.flatMap((name) =>
        [...types, ...delegations].map((type) => ({ zone, domain: domainOf(zone, name), type })),
      ),
    );
    this.universe = { zones, places };
  }

  async must<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.#send(this.#admin, method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  }

  /** A name of the zone. */
  domain(zone: string, pick: number): string {
    return domainOf(zone, labels[pick % labels.length]!);
  }

  /** An existing zone. */
  zone(pick: number): string | undefined {
    const there = [...this.records.keys()];
    return there[pick % there.length];
  }

  /** A zone with its own records: every change of a linked zone is refused to all callers. */
  ownZone(pick: number): string | undefined {
    const own = [...this.records].flatMap(([zone, records]) => (records.size > 0 ? zone : []));
    return own[pick % own.length];
  }

  /** An existing record. */
  place(pick: number, zone = this.zone(pick)): RecordName | undefined {
    const records = [...(this.records.get(zone ?? "") ?? [])];
    const [domain, type] = records[pick % records.length]?.split(" ") ?? [];
    return zone && domain && type ? { zone, domain, type } : undefined;
  }

  has = ({ zone, domain, type }: RecordName) => this.records.get(zone)?.has(`${domain} ${type}`) === true;

  /** Must be called for each zone of a call: at the end, the zone is compared and restored. */
  touch(zone: string): void {
    this.#touched.add(zone);
  }

  /** Creates the initial zones. */
  async build(): Promise<void> {
    for (const { id } of await this.must<Holder[]>("GET", "account/users")) this.#first.add(id);
    for (const key of await this.must<Holder[]>("GET", "account/apikeys"))
      if (key.key === this.#admin) this.#key = key.id;
    for (const zone of this.zones) await this.#make(zone);
  }

  async members(): Promise<Members> {
    const keys = await this.must<Holder[]>("GET", "account/apikeys");
    const users = await this.must<Holder[]>("GET", "account/users");
    const teams = await this.must<Team[]>("GET", "account/teams");
    return {
      keys: keys.filter(({ key }) => key !== this.#admin),
      users: users.filter(({ id }) => !this.#first.has(id)),
      teams,
    };
  }

  /** Tries to take the right to manage keys from the first key, which must be refused; otherwise `keeper` restores it. */
  async dethrone(keeper: Session): Promise<string | undefined> {
    const change = (who: string | Session, manage_apikeys: boolean) =>
      this.#send(who, "POST", `account/apikeys/${this.#key}`, { permissions: { account: { manage_apikeys } } });
    const { status } = await change(this.#admin, false);
    if (status === 400) return undefined;
    await change(keeper, true);
    return `the last key that manages keys was changed: ${status}`;
  }

  /** Differences between the touched zones and their expected state. Restores the zones. */
  async settle(): Promise<string[]> {
    const listed = await this.must<{ zone: string }[]>("GET", "zones");
    const there = new Set(listed.map(({ zone }) => zone));
    const differences: string[] = [];
    const found = new Map<string, Set<string>>();
    for (const zone of this.#touched) {
      const known = this.records.get(zone);
      if (there.has(zone) !== (known !== undefined))
        differences.push(`${zone} ${known ? "is missing" : "exists, but should not"}`);
      if (!there.has(zone)) continue;
      const shown = await this.must<Zone>("GET", `zones/${zone}`);
      const records = recordsOf(shown);
      found.set(zone, records);
      if (Object.keys(shown.tags).length > 0) await this.must("POST", `zones/${zone}`, { tags: {} });
      if (known && [...records].sort().join() !== [...known].sort().join()) {
        differences.push(`${zone} has ${[...records].join(", ")}, not ${[...known].join(", ")}`);
      }
    }
    // link targets cannot be removed before their links
    const isLink = (text: string) => text.startsWith(linkedLabel);
    for (const [zone, records] of found) await this.#change(zone, [...records].filter(isLink), []);
    if (there.has(this.fresh)) await this.must("DELETE", `zones/${this.fresh}`);
    found.delete(this.fresh);
    this.records.delete(this.fresh);
    for (const [zone, records] of found) {
      await this.#change(
        zone,
        [...records].filter((text) => isAdded(zone)(text) && !isLink(text)),
        [],
      );
    }
    for (const zone of this.zones) {
      if (!there.has(zone)) await this.#make(zone);
      else if (found.has(zone))
        await this.#change(
          zone,
          [],
          firstOf(zone).filter((text) => !found.get(zone)!.has(text)),
        );
    }
    this.#touched.clear();
    this.deleted.clear();
    return differences;
  }

  /** The records of a zone, as `domain type`. */
  async read(zone: string): Promise<Set<string>> {
    return recordsOf(await this.must<Zone>("GET", `zones/${zone}`));
  }

  async #make(zone: string): Promise<void> {
    await this.must("PUT", `zones/${zone}`, {});
    await this.#change(zone, [], firstOf(zone).slice(1));
  }

  async #change(zone: string, removed: readonly string[], added: readonly string[]): Promise<void> {
    const put = added.map(placeOf).map((place) => ({ ...place, answers: answersOf(place.type) }));
    if (put.length + removed.length > 0) {
      await this.must("POST", `zones/${zone}/records`, { put, remove: removed.map(placeOf) });
    }
    this.records.set(zone, new Set(firstOf(zone)));
  }
}

interface Zone {
  readonly link: string | null;
  readonly records: readonly RecordName[];
  readonly tags: object;
}

/** The records of the zone's own; a linked zone shows those of its target. */
const recordsOf = ({ link, records }: Zone) =>
  new Set(link === null ? records.map(({ domain, type }) => `${domain} ${type}`) : []);

const domainOf = (zone: string, label: string) => (label === "" ? zone : `${label}.${zone}`);
/** The records of an initial zone: the NS record that every new zone has, and `firstRecords`. */
const firstOf = (zone: string) => [`${zone} NS`, ...firstRecords.map((text) => text.replace(" ", `.${zone} `))];
const isAdded = (zone: string) => (text: string) => !firstOf(zone).includes(text);

function placeOf(text: string) {
  const [domain = "", type = ""] = text.split(" ");
  return { domain, type };
}

/** An answer that a record of the type may have. */
export const answersOf = (type: string) => [{ answer: [sample[type] ?? ""] }];
