/**
 * An image of the part of the account's zones, and of other accounts' served zones, that a few questions concern. Records
 * that the engine looks for and that are not in the image yet are fetched, and the question is asked again, until the
 * engine sees the same records as at an edge. Records of a draft and assumed values of feeds may be laid over the store's.
 */

import type { SteeringOptions } from "../../../answer/chain/steering.ts";
import type { Locate } from "../../../answer/filters/contract/client.ts";
import { ImageWriter } from "../../../answer/image/writer/writer.ts";
import { LiveReader } from "../../../answer/live/reader.ts";
import { LiveTable } from "../../../answer/live/table.ts";
import { type Asked, type Question, Questioner } from "../../../answer/reply/question.ts";
import { isSubdomain, nameFromApi, upwardsFrom } from "../../../dns/wire/name.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { ZoneRow } from "../../../storage/tables/zones.ts";
import { zoneServed } from "../../../sync/change.ts";
import { recordState } from "../../../sync/state.ts";
import type { Db } from "../../kit/store.ts";
import type { ReadCtx } from "../../write/context.ts";
import { recordsAt } from "../../zones/model/record/store.ts";
import { renamed } from "../../zones/model/zone/present.ts";
import { type AssumedTable, FeedValues } from "./feed-values.ts";
import { noOverlay, type Overlay } from "./overlay.ts";
import { findServed, findValues, recordBelow } from "./store.ts";

export interface ExcerptOptions extends Pick<SteeringOptions, "locate" | "atlas"> {
  /** The time at which the ages of feeds are measured, in Unix milliseconds. */
  readonly now: number;
  readonly draft?: Overlay | undefined;
  /** Assumed values by feed id. */
  readonly assumed?: ReadonlyMap<string, AssumedTable> | undefined;
  /** Runs each question; it may wait first, or throw. */
  readonly run?: (<T>(step: () => T) => T | Promise<T>) | undefined;
}

/** Each turn finds at least one unknown name, and an answer ends after 16 hops from name to name. */
const mostTurns = 200;

export class Excerpt {
  /** Locates clients; may be changed between questions. */
  locate: Locate;
  readonly feedValues: FeedValues;
  readonly #db: Db;
  readonly #account: string;
  readonly #image = ImageWriter.create({ asSent: true });
  readonly #draft: Overlay;
  readonly #run: NonNullable<ExcerptOptions["run"]>;
  readonly #questioner: Questioner;
  readonly #known = new Set<string>();
  /** Names without any records below them. */
  readonly #empty: string[] = [];
  readonly #zones = new Map<string, ZoneRow>();
  readonly #records = new Map<string, RecordRow>();
  readonly #feeds = new Set<string>();

  constructor({ db, account_id }: Pick<ReadCtx, "db" | "account_id">, options: ExcerptOptions) {
    const { now, locate, atlas, draft = noOverlay, assumed = new Map(), run = (step) => step() } = options;
    this.#db = db;
    this.#account = account_id;
    this.#draft = draft;
    this.#run = run;
    this.locate = locate;
    const table = new LiveTable();
    this.feedValues = new FeedValues(table, assumed, now);
    const live = new LiveReader(table.share());
    live.now = now;
    this.#questioner = new Questioner(this.#image.share(), {
      ...{ live, atlas, seed: 0 },
      locate: (octets, offset, length) => this.locate(octets, offset, length),
    });
    this.#image.onGrow((share) => this.#questioner.update(share));
  }

  /** Returns the answer and the steps that led to it. Random numbers begin with the seed. */
  async ask(question: Question, seed: number): Promise<Asked> {
    for (let turn = 0; turn < mostTurns; turn++) {
      const asked = await this.#run(() => {
        this.#questioner.seed(seed);
        return this.#questioner.ask(question, true);
      });
      if (!(await this.learn(this.#questioner.lookedUp))) return asked;
    }
    throw new Error("the names that an answer depends on did not come to an end");
  }

  /** Answers a question that was asked before, with the next random numbers; fetches nothing. */
  again(question: Question): Asked {
    return this.#questioner.ask(question, false);
  }

  /** Returns the zone with the longest name that contains a name. */
  zoneOf(name: string): ZoneRow | undefined {
    for (const at of upwardsFrom(name)) {
      const zone = this.#zones.get(at);
      if (zone) return zone;
    }
    return undefined;
  }

  /** Returns the record at a name; in a linked zone, the record of the target zone. */
  record(domain: string, type: string): RecordRow | undefined {
    return this.#records.get(`${this.storedAt(domain)?.name ?? domain} ${type}`);
  }

  /** Returns the link target of a linked record, as the engine follows links. */
  target({ account_id, link, type }: RecordRow): RecordRow | undefined {
    const zone = link === null ? undefined : this.zoneOf(link);
    const isOpen = zone?.account_id === account_id && zone.link === null && !zone.hidden;
    return isOpen ? this.#records.get(`${link} ${type}`) : undefined;
  }

  /** Returns the zone and name under which the records of a name are stored: in a linked zone, those of its target. */
  storedAt(name: string): { readonly zone: ZoneRow; readonly name: string } | undefined {
    const zone = this.zoneOf(name);
    const linked = zone && zone.link !== null ? this.#zones.get(zone.link) : undefined;
    const isTarget = linked && linked.link === null && linked.account_id === zone?.account_id;
    const target = isTarget ? linked : undefined;
    return zone && (target ? { zone: target, name: renamed(name, zone.zone, target.zone) } : { zone, name });
  }

  /** Fetches the records at these names, in known zones and zones that begin there; false when all names were known. */
  async learn(wanted: Iterable<string>): Promise<boolean> {
    const names = [...wanted].filter((name) => !this.#known.has(name));
    if (names.length === 0) return false;
    for (const name of names) this.#known.add(name);
    await this.learnZones(names);
    const rows: RecordRow[] = [];
    for (const [zone, inside] of this.#byZone(names)) {
      // wildcards as well: the engine looks up a wildcard only if the image has it
      const all = [...inside, ...inside.map((name) => `*.${name}`)];
      const found = this.#draft.over(zone, all, await recordsAt(this.#db, zone, all));
      const there = new Set(found.map(({ domain }) => domain.replace(/^\*\./, "")));
      const missing = inside.filter((name) => !there.has(name));
      rows.push(...found, ...(await this.#below(zone, missing)));
    }
    await this.#learnFeeds(rows);
    await this.#learnLinked(rows);
    for (const row of rows) {
      this.#records.set(`${row.domain} ${row.type}`, row);
      this.#image.putRecord(recordState(row));
    }
    this.#image.commit();
    return true;
  }

  /**
   * Returns one record below each of these names, if there is any, so that the image contains the name. Names below an
   * empty name are not searched.
   */
  async #below(zone: ZoneRow, names: readonly string[]): Promise<RecordRow[]> {
    const rows: RecordRow[] = [];
    for (const name of names.toSorted((a, b) => a.length - b.length)) {
      if (this.#empty.some((above) => isSubdomain(nameFromApi(name), nameFromApi(above)))) continue;
      const below = this.#draft.below(zone, name) ?? (await this.#storedBelow(zone, name));
      if (below) rows.push(below);
      else this.#empty.push(name);
    }
    return rows;
  }

  /** A record of the store below a name that the draft does not delete; the draft puts none there. */
  #storedBelow(zone: ZoneRow, name: string): Promise<RecordRow | undefined> {
    const isDeleted = (row: RecordRow) => this.#draft.find(zone, row) !== undefined;
    return recordBelow(this.#db, zone, name, this.#draft.deletesIn(zone) ? isDeleted : undefined);
  }

  /** Fetches the zones with these names: those of the account, and served ones of all others. */
  async learnZones(names: readonly string[], account = this.#account): Promise<void> {
    const asked = names.filter((name) => !this.#zones.has(name));
    const found = asked.length > 0 ? await findServed(this.#db, account, asked) : [];
    for (const zone of found) {
      this.#zones.set(zone.zone, zone);
      this.#image.putZone(zoneServed(zone, "all"), zone.serial);
    }
    for (const { link, account_id } of found) if (link !== null) await this.learnZones([link], account_id);
  }

  /** Fetches the zones that linked records lead to: served records may be linked to records of unserved zones. */
  async #learnLinked(rows: readonly RecordRow[]): Promise<void> {
    for (const { link, account_id } of rows) {
      if (link !== null && account_id !== this.#account) await this.learnZones(upwardsFrom(link), account_id);
    }
  }

  #byZone(names: readonly string[]): Map<ZoneRow, string[]> {
    const zones = new Map<ZoneRow, string[]>();
    for (const name of names) {
      const at = this.storedAt(name);
      if (at) zones.set(at.zone, [...(zones.get(at.zone) ?? []), at.name]);
    }
    return zones;
  }

  async #learnFeeds(rows: readonly RecordRow[]): Promise<void> {
    for (const { account_id, feeds } of rows) {
      const ids = feeds.map(({ feed }) => feed).filter((id) => !this.#feeds.has(id));
      for (const id of ids) this.#feeds.add(id);
      this.feedValues.put(await findValues(this.#db, account_id, ids));
    }
  }
}
