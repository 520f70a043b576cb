/** A record's fields read from a body: defaults, and checks of each field. */
import { isDeepStrictEqual } from "node:util";
import { readMeta } from "../../../../answer/model/meta.ts";
import { isSteered } from "../../../../answer/model/steering-settings.ts";
import { rdataFromApi } from "../../../../dns/rdata/codec.ts";
import type { RecordType } from "../../../../dns/rdata/record-type.ts";
import { apiName } from "../../../../dns/wire/name.ts";
import { LongWork } from "../../../../lib/fair/yield.ts";
import { newId } from "../../../../lib/ids.ts";
import { inField, invalid, invalidField } from "../../../../lib/problem.ts";
import { asksFor, isObject, pick } from "../../../../lib/values.ts";
import type { RecordRow, StoredAnswer } from "../../../../storage/tables/records.ts";
import type { Edition } from "../../../access/rights.ts";
import { limits } from "../../../kit/limits.ts";
import { afterBody, readAfter } from "../../../kit/schema.ts";
import { plain } from "./plain.ts";
import { isSingle } from "./rules.ts";
import type { NewAnswer, RecordBody } from "./schema.ts";
import { assertAllDown, readFilters, tierOf } from "./steering.ts";
import { ownTagsIn, readNames, readTags, type Tags } from "./tags.ts";

const recordFields = [
  ...(["ttl", "tier", "link", "use_client_subnet", "override_ttl", "override_address_records"] as const),
  ...(["answers", "filters", "all_down", "live_guard", "regions", "meta", "feeds"] as const),
  ...(["tags", "local_tags", "blocked_tags"] as const),
];

/** The fields of a record that clients set, and those that follow from them: `tier` and `feeds`. */
export type RecordFields = Pick<RecordRow, (typeof recordFields)[number]>;

export const fieldsOf = (row: RecordRow): RecordFields => pick(row, recordFields);

export interface RecordDefaults {
  readonly nx_ttl: number;
  readonly edition: Edition;
  /** The tags that the record inherits from its zone. */
  readonly inherited: Tags;
}

/** A DNS message ends at 65535 octets; this limit leaves octets for the header, the question and compressed owner names. */
export const mostRrsetOctets = 60_000;
/** Octets of a record before its RDATA: compressed owner name, type, class, TTL and length. */
const answerHead = 12;
/** Octets as JSON of a record's filters, regions and metadata: 100 answers with 1,000 prefixes and 1,000 AS numbers each. */
export const mostSteeringOctets = 4 * 1024 * 1024;
/** The same of all records of one name: an edge keeps them in one block, which has 16 MiB. */
export const mostSteeringAtName = 6 * 1024 * 1024;

/**
 * The fields of a record after a body. Omitted fields keep their value in `before`, or get their default. Gives way while
 * it reads a large record.
 */
export async function readRecord(
  type: RecordType,
  body: RecordBody,
  before: RecordFields | undefined,
  defaults: RecordDefaults,
): Promise<RecordFields> {
  const { edition } = defaults;
  const link = linkAfter(body, before);
  if (link !== null) return linkedRecord(body, before, link, defaults);
  const work = new LongWork();
  const sent = body.regions === undefined ? undefined : await readRegions(body.regions ?? {}, work);
  const regions = afterBody(sent, before?.regions, {});
  const old = before?.answers ?? [];
  const answers = body.answers === undefined ? old : await readAnswers(type, body.answers ?? [], old, work);
  if (work.isDue) await work.giveWay();
  const filters = readAfter(body.filters, before?.filters, [], (sent) => readFilters(type, sent, edition));
  const meta = readAfter(body.meta, before?.meta, {}, (sent) => readMeta(sent, "meta"));
  const all_down = afterBody(body.all_down, before?.all_down, null);
  assertAnswers(type, { answers, regions, meta, filters });
  assertAllDown(all_down, regions);
  return {
    ...commonFields(body, before, defaults),
    tier: tierOf(filters),
    link: null,
    override_address_records: afterBody(body.override_address_records, before?.override_address_records, false),
    answers,
    filters,
    all_down,
    live_guard: afterBody(body.live_guard, before?.live_guard, null),
    regions,
    meta,
    feeds: before?.feeds ?? [],
  };
}

/** The fields that linked and other records share. In edition ddi, `local_tags` follow from the tags and are not kept. */
const commonFields = (
  body: RecordBody,
  before: RecordFields | undefined,
  { nx_ttl, edition, inherited }: RecordDefaults,
) => ({
  ttl: afterBody(body.ttl, before?.ttl, nx_ttl),
  use_client_subnet: afterBody(body.use_client_subnet, before?.use_client_subnet, true),
  override_ttl: afterBody(body.override_ttl, before?.override_ttl, null),
  tags: readAfter(body.tags, before?.tags, {}, (sent) =>
    ownTagsIn(readTags(sent, "tags"), body.local_tags, before?.tags ?? {}, inherited),
  ),
  local_tags: readAfter(edition === "ddi" ? undefined : body.local_tags, before?.local_tags, [], (sent) =>
    readNames(sent, "local_tags"),
  ),
  blocked_tags: readAfter(body.blocked_tags, before?.blocked_tags, [], (sent) => readNames(sent, "blocked_tags")),
});

export const sameFields = (a: RecordFields, b: RecordFields) => isDeepStrictEqual(a, b);

/** The record's link after a body. */
function linkAfter(body: RecordBody, before: RecordFields | undefined): string | null {
  if (body.link === undefined) return before?.link ?? null;
  const { link } = body;
  return link ? inField("link", () => apiName(link)) : null;
}

/** Fields that a linked record takes from its target and cannot have itself. */
const targetFields = [
  ...(["answers", "filters", "regions", "meta"] as const),
  ...(["all_down", "live_guard", "override_address_records"] as const),
];

/** The fields of a linked record; fields that the target provides are reset. */
function linkedRecord(
  body: RecordBody,
  before: RecordFields | undefined,
  link: string,
  defaults: RecordDefaults,
): RecordFields {
  const extra = targetFields.find((field) => asksFor(body[field]));
  if (extra !== undefined) {
    throw invalidField(extra, `cannot be set, because the record is linked to ${link}`, { link });
  }
  return { ...plain, ...commonFields(body, before, defaults), answers: [], link };
}

async function readRegions(
  regions: Readonly<Record<string, unknown>>,
  work: LongWork,
): Promise<Record<string, unknown>> {
  const entries = Object.entries(regions);
  if (entries.length > limits.regions) throw invalidField("regions", `at most ${limits.regions} per record`);
  const read: [string, unknown][] = [];
  for (const [name, region] of entries) {
    await work.giveWay();
    read.push([name, readRegion(name, region)]);
  }
  return Object.fromEntries(read);
}

function readRegion(name: string, region: unknown): unknown {
  const field = `regions.${name}`;
  if (name.length > 255) throw invalidField("regions", "a name must have at most 255 characters");
  if (region === null) return {};
  if (!isObject(region)) throw invalid(`${field} must be an object`, { field });
  const { meta } = region;
  if (meta === undefined || meta === null) return {};
  if (!isObject(meta)) throw invalid(`${field}.meta must be an object`, { field: `${field}.meta` });
  return { meta: readMeta(meta, `${field}.meta`) };
}

/**
 * Answers as they are stored. Ids in the body are kept. When the list is the same as before, the answers keep their
 * ids even if the body has none.
 */
async function readAnswers(
  type: RecordType,
  sent: readonly NewAnswer[],
  before: readonly StoredAnswer[],
  work: LongWork,
): Promise<readonly StoredAnswer[]> {
  const used = new Set<string>();
  const answers: { read: Omit<StoredAnswer, "id">; id: string; known: boolean }[] = [];
  for (const [i, answer] of sent.entries()) {
    if (work.isDue) await work.giveWay();
    const read = readAnswer(type, answer, `answers[${i}]`);
    const id = answer.id && !used.has(answer.id) ? answer.id : newId();
    used.add(id);
    answers.push({ read, id, known: answer.id === id });
  }
  const same =
    answers.length === before.length &&
    answers.every(({ read, id, known }, i) => {
      const { id: oldId, ...old } = before[i]!;
      return (!known || id === oldId) && isDeepStrictEqual(read, old);
    });
  return same ? before : answers.map(({ read: { answer, ...rest }, id }) => ({ answer, id, ...rest }));
}

/** Reads an answer, without its id. RDATA fields are kept as sent; throws unless they are valid. */
export function readAnswer(type: RecordType, sent: NewAnswer, field: string): Omit<StoredAnswer, "id"> {
  inField(field, () => rdataFromApi(type, sent.answer));
  return {
    answer: sent.answer,
    ...(sent.meta ? { meta: readMeta(sent.meta, `${field}.meta`) } : {}),
    ...(sent.region ? { region: sent.region } : {}),
  };
}

type SteeredFields = Pick<RecordFields, "answers" | "regions" | "meta" | "filters">;

/** Octets as JSON of what steers a record; 0 without filters. */
function steeringOctets({ answers, regions, meta, filters }: SteeredFields): number {
  if (!isSteered(filters)) return 0;
  return Buffer.byteLength(JSON.stringify([answers.map((one) => [one.meta, one.region]), regions, meta, filters]));
}

/** Throws if the records of one name have too much metadata together; `others` are all but this one. */
export function assertRoomAtName(fields: SteeredFields, others: readonly SteeredFields[]): void {
  const own = others.some(({ filters }) => isSteered(filters)) ? steeringOctets(fields) : 0;
  if (own === 0) return;
  const all = others.reduce((sum, other) => sum + steeringOctets(other), own);
  if (all <= mostSteeringAtName) return;
  const most = `at most ${mostSteeringAtName} octets of JSON`;
  throw invalid(`filters and metadata of all records with this name together must be ${most}`, {
    limit: mostSteeringAtName,
  });
}

/** Throws unless the answers are valid together. */
export function assertAnswers(type: RecordType, { answers, regions, meta, filters }: SteeredFields): void {
  if (answers.length > limits.answers) {
    throw invalidField("answers", `at most ${limits.answers} answers per record`, { limit: limits.answers });
  }
  for (const [i, { region }] of answers.entries()) {
    if (region !== undefined && !Object.hasOwn(regions, region)) {
      throw invalidField(`answers[${i}].region`, `"${region}" is not in regions`);
    }
  }
  if (steeringOctets({ answers, regions, meta, filters }) > mostSteeringOctets) {
    throw invalid(`filters and metadata together must be at most ${mostSteeringOctets} octets of JSON`, {
      limit: mostSteeringOctets,
    });
  }
  const rdata = answers.map(({ answer }) => rdataFromApi(type, answer));
  if (rdata.reduce((sum, octets) => sum + octets.length + answerHead, 0) > mostRrsetOctets) {
    throw invalidField("answers", `together they must be at most ${mostRrsetOctets} octets`);
  }
  if (
    isSingle(type) &&
    !isSteered(filters) &&
    new Set(rdata.map((octets) => Buffer.from(octets).toString("latin1"))).size > 1
  ) {
    throw invalidField("answers", `a ${type.name} record can have several answers only with filters`);
  }
}
