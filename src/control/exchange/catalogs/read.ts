/** Reads the zones that a catalog lists (RFC 9432 section 4) from its records; a broken catalog lists nothing. Pure. */

import { rdataFromApi } from "../../../dns/rdata/codec.ts";
import { types } from "../../../dns/types.ts";
import { labelCount, lowerName, nameFromApi, nameToApi, upwardsFrom } from "../../../dns/wire/name.ts";
import { Problem } from "../../../lib/problem.ts";
import type { RecordRow } from "../../../storage/tables/records.ts";
import type { Edition } from "../../access/rights.ts";
import { limits } from "../../kit/limits.ts";
import { isGroup } from "../../zones/model/zone/catalog.ts";
import { zoneName } from "../../zones/model/zone/fields.ts";
import { assertNotPublicSuffix } from "../../zones/model/zone/ownership.ts";

export interface ListedZone {
  readonly zone: string;
  /** The label below `zones` under which it is listed. */
  readonly node: string;
  readonly groups: readonly string[];
  /** The catalog to which the zone may move (RFC 9432 section 4.4.1: change of ownership). */
  readonly coo: string | null;
}

/** The error in a catalog, because of which the whole catalog is not followed. */
export class BrokenCatalog extends Error {
  override readonly name = "BrokenCatalog";
}

/** Decides which names zones may have. */
export interface NamePolicy {
  readonly edition: Edition;
  readonly allowSuffix: readonly string[];
}

/** Characters of names and answers in JSON: several times what the maximum number of members needs. */
const mostText = 32 * 1024 * 1024;

export type CatalogRecord = Pick<RecordRow, "domain" | "type" | "answers">;

/** Gathers the records that have a meaning in a catalog. The sender decides how many there are, so their size is limited. */
export class CatalogRecords {
  readonly kept: CatalogRecord[] = [];
  readonly #most: number;
  #text = 0;

  constructor(most = mostText) {
    this.#most = most;
  }

  /** Throws BrokenCatalog when the records are too large together. */
  add({ domain, type, answers }: CatalogRecord): void {
    if (type !== "PTR" && type !== "TXT") return;
    this.#text += domain.length + JSON.stringify(answers).length;
    if (this.#text > this.#most) throw new BrokenCatalog("has more records than its zones need");
    this.kept.push({ domain, type, answers });
  }
}

/** Returns the listed zones in the order of their names. Throws BrokenCatalog. */
export function readMembers(catalog: string, records: readonly CatalogRecord[], policy: NamePolicy): ListedZone[] {
  const below = new Map(records.flatMap((record) => belowCatalog(catalog, record)));
  assertVersion(below.get("version TXT"));
  const members = new Map<string, ListedZone>();
  for (const [path, record] of below) {
    const node = /^(.*)\.zones PTR$/s.exec(path)?.[1];
    if (node === undefined || labelCount(nameFromApi(node)) !== 1) continue;
    const zone = memberOf(catalog, record, policy);
    if (members.has(zone)) throw new BrokenCatalog(`lists ${zone} twice`);
    if (members.size === limits.catalogMembers)
      throw new BrokenCatalog(`lists more than ${limits.catalogMembers} zones`);
    members.set(zone, { zone, node, ...propertiesOf(below, node) });
  }
  return [...members.values()].sort((a, b) => (a.zone < b.zone ? -1 : 1));
}

function belowCatalog(catalog: string, record: CatalogRecord): [path: string, record: CatalogRecord][] {
  const suffix = `.${catalog}`;
  const { domain, type } = record;
  return domain.endsWith(suffix) ? [[`${domain.slice(0, -suffix.length)} ${type}`, record]] : [];
}

/** RFC 9432 section 4.3.1: a catalog has exactly one version, which must be known. */
function assertVersion(record: CatalogRecord | undefined): void {
  if (!record) throw new BrokenCatalog("has no version");
  if (record.answers.length > 1) throw new BrokenCatalog("has several versions");
  const version = textsOf(record)[0];
  if (version !== "2") throw new BrokenCatalog(`has version ${JSON.stringify(version ?? "")}, not "2"`);
}

/** RFC 9432 section 4.2: one PTR record. A name that is not allowed as a zone here breaks the catalog. */
function memberOf(catalog: string, record: CatalogRecord, { edition, allowSuffix }: NamePolicy): string {
  const [name, ...others] = namesOf(record);
  if (name === undefined || others.length > 0) throw new BrokenCatalog(`has several zones at ${record.domain}`);
  if (upwardsFrom(name).includes(catalog)) throw new BrokenCatalog(`lists ${name}, which is inside the catalog itself`);
  try {
    const zone = zoneName(name, edition);
    if (edition === "managed") assertNotPublicSuffix(zone, allowSuffix);
    return zone;
  } catch (error) {
    if (error instanceof Problem)
      throw new BrokenCatalog(`lists a name that is not allowed for a zone: ${error.message}`);
    throw error;
  }
}

/** RFC 9432 section 4.4: a malformed property is treated as absent. */
function propertiesOf(below: ReadonlyMap<string, CatalogRecord>, node: string): Pick<ListedZone, "groups" | "coo"> {
  const group = below.get(`group.${node}.zones TXT`);
  const groups = group ? textsOf(group) : [];
  const owner = below.get(`coo.${node}.zones PTR`);
  const owners = owner ? namesOf(owner) : [];
  return {
    groups: groups.every((text) => text !== undefined && isGroup(text))
      ? groups.flatMap((text) => text ?? []).sort()
      : [],
    coo: owners.length === 1 ? owners[0]! : null,
  };
}

/** The text of each TXT record that has exactly one string; undefined for other records. */
const textsOf = ({ answers }: CatalogRecord): (string | undefined)[] =>
  answers.map(({ answer }) => {
    const [length, ...text] = rdataFromApi(types.TXT, answer);
    return length === text.length ? Buffer.from(text).toString("latin1") : undefined;
  });

const namesOf = ({ answers }: CatalogRecord): string[] =>
  answers.map(({ answer }) => nameToApi(lowerName(rdataFromApi(types.PTR, answer))));
