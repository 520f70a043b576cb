/** Finds the targets of answers and links that are missing in the account's zones. */
import { setImmediate as turn } from "node:timers/promises";
import { locateNobody } from "../../../../../answer/chain/unknown.ts";
import { rdataFromApi, rdataToApi } from "../../../../../dns/rdata/codec.ts";
import { typeNamed } from "../../../../../dns/type-names.ts";
import { TypeCode } from "../../../../../dns/wire/constants.ts";
import { apiName, nameFromApi, upwardsFrom } from "../../../../../dns/wire/name.ts";
import { atlas } from "../../../../../geo/facts/atlas.ts";
import type { RecordRow } from "../../../../../storage/tables/records.ts";
import { recordKey } from "../../../../../sync/net-difference.ts";
import type { ReadCtx } from "../../../../write/context.ts";
import { findTargets } from "../../../../zones/records/links.ts";
import { Excerpt } from "../../../excerpt/excerpt.ts";
import { noOverlay, type Overlay } from "../../../excerpt/overlay.ts";

/** The position of the target name among the fields of a type. */
const targetField: Readonly<Record<string, number>> = { CNAME: 0, ALIAS: 0, DNAME: 0, NS: 0, MX: 1, SRV: 3 };

/** Returns the target in canonical spelling; undefined for an answer without a target. */
export function targetOf(type: string, answer: readonly unknown[]): string | undefined {
  const field = targetField[type];
  const known = typeNamed(type);
  if (field === undefined || !known) return undefined;
  const target = rdataToApi(known, rdataFromApi(known, answer))[field];
  return typeof target === "string" ? apiName(target) : undefined;
}

/** Limited because each missing name may require reading the whole zone. */
const mostMissing = 100;
/** Names that are looked up before other requests get a turn. */
const atOnce = 25;
const anyClient = { family: 4, address: new Uint8Array(16) } as const;

export class Targets {
  /** Missing names of answers' targets, and record keys (name and type) of missing link targets, of all records checked. */
  readonly missing = new Set<string>();
  readonly #ctx: ReadCtx;
  readonly #draft: Overlay;

  /** `draft` has records that are laid over those of the store. */
  constructor(ctx: ReadCtx, draft = noOverlay) {
    this.#ctx = ctx;
    this.#draft = draft;
  }

  /** Whether the search has stopped because too many names are missing. */
  get isFull(): boolean {
    return this.missing.size >= mostMissing;
  }

  /** Looks up the targets of these records. */
  async find(records: readonly RecordRow[]): Promise<void> {
    await this.#findLinked(records);
    const found = records.flatMap(({ type, answers }) => answers.flatMap(({ answer }) => targetOf(type, answer) ?? []));
    const names = [...new Set(found)].filter((name) => name !== "." && !this.missing.has(name));
    if (names.length === 0) return;
    const { account_id } = this.#ctx;
    const excerpt = this.#excerpt();
    for (let at = 0; at < names.length && !this.isFull; at += atOnce) {
      await turn();
      const some = names.slice(at, at + atOnce);
      await excerpt.learnZones(some.flatMap(upwardsFrom));
      const own = some.filter((name) => excerpt.zoneOf(name)?.account_id === account_id);
      await excerpt.learn(own.flatMap(upwardsFrom));
      for (const name of own) {
        const { steps } = await excerpt.ask({ name: nameFromApi(name), type: TypeCode.A, sender: anyClient }, 0);
        const [first] = steps;
        if (first?.kind === "lookup" && first.state === "nxdomain") this.missing.add(name);
      }
    }
  }

  async #findLinked(records: readonly RecordRow[]): Promise<void> {
    const { db, account_id } = this.#ctx;
    const links = records.flatMap(({ link, type }) => (link === null ? [] : { domain: link, type }));
    if (links.length === 0 || this.isFull) return;
    const found = await findTargets(db, account_id, links);
    for (const { domain, type } of links) {
      const name = recordKey({ domain, type });
      const laid = this.#draft.findAnywhere({ domain, type });
      const target = found.get(name);
      const isThere = laid ? laid.after?.link === null : target?.record.link === null && !target.zone.hidden;
      if (!isThere) this.missing.add(name);
    }
  }

  #excerpt(): Excerpt {
    const draft = this.#draft;
    return new Excerpt(this.#ctx, { now: this.#ctx.now * 1000, locate: locateNobody, atlas, draft });
  }
}
