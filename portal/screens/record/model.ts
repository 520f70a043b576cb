/** A record as it is edited: what the API returns, without what the service sets. */
import { isObject } from "../../api/is-object.ts";
import type { Record as ApiRecord, RecordBody } from "../../api/types.ts";
import type { Edit } from "../../kit/draft-edits.ts";
import { recordTexts as texts } from "../../text/record.ts";

export interface Meta {
  readonly [key: string]: unknown;
}

export interface Answer {
  readonly id?: string | undefined;
  readonly answer: readonly (string | number)[];
  readonly meta?: Meta;
  readonly region?: string | undefined;
}

export interface Filter {
  readonly filter: string;
  readonly config?: Meta;
  readonly disabled?: boolean;
}

export interface Edited {
  readonly ttl: number;
  readonly answers: readonly Answer[];
  readonly regions: { readonly [name: string]: { readonly meta?: Meta } };
  readonly meta: Meta;
  readonly filters: readonly Filter[];
  readonly use_client_subnet: boolean;
  /** Fields that the page shows and does not edit. */
  readonly rest: { readonly [name: string]: unknown };
}

export const emptyRecord: Edited = {
  ttl: 3600,
  answers: [{ answer: [""] }],
  regions: {},
  meta: {},
  filters: [],
  use_client_subnet: true,
  rest: {},
};

export function editedOf(record: ApiRecord): Edited {
  const { ttl, answers, regions, meta, filters, use_client_subnet, all_down, live_guard } = record;
  return {
    ...{ ttl, meta, use_client_subnet },
    answers: answers.map(({ id, answer, meta: own, region }) => ({
      ...{ id, answer },
      ...(own && { meta: own }),
      ...(region !== undefined && { region }),
    })),
    regions: regions as Edited["regions"],
    filters: filters as Filter[],
    rest: { ...(all_down && { all_down }), ...(live_guard !== undefined && { live_guard }) },
  };
}

/** The record that a body describes; text that says what is wrong with it. */
export function editedFrom(text: string): Edited | string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
  if (!isObject(body)) return texts.noObject;
  const { ttl, answers, regions = {}, meta = {}, filters = [], use_client_subnet = true, ...rest } = body;
  if (typeof ttl !== "number") return texts.wrongField("ttl");
  if (!isListOf(answers, (one) => isObject(one) && Array.isArray(one["answer"]))) return texts.wrongField("answers");
  if (!isListOf(filters, (one) => isObject(one) && typeof one["filter"] === "string"))
    return texts.wrongField("filters");
  if (!isObject(regions) || !Object.values(regions).every(isObject)) return texts.wrongField("regions");
  if (!isObject(meta)) return texts.wrongField("meta");
  if (typeof use_client_subnet !== "boolean") return texts.wrongField("use_client_subnet");
  return { ttl, answers, regions, meta, filters, use_client_subnet, rest } as Edited;
}

const isListOf = (list: unknown, is: (one: unknown) => boolean): boolean => Array.isArray(list) && list.every(is);

/** A record with the fields that an edit of the draft changes. */
export function withEdit(record: Edited, edit: Edit): Edited {
  const { ttl, answers, regions, meta, filters, use_client_subnet } = edit;
  const changed = { ttl, answers, regions, meta, filters, use_client_subnet };
  const given = Object.entries(changed).filter(([, value]) => value !== undefined && value !== null);
  return { ...record, ...Object.fromEntries(given) };
}

/** The body of a write. Answers without a first field are left out: they are rows that were not filled in. */
export function bodyOf({ rest, answers, ...edited }: Edited): RecordBody {
  const filled = answers.filter(({ answer }) => String(answer[0] ?? "").trim() !== "");
  return {
    ...rest,
    ...edited,
    answers: filled.map((one) => ({ ...one, answer: one.answer.map(trimmed) })),
  } as RecordBody;
}

const trimmed = (part: string | number) => (typeof part === "string" ? part.trim() : part);

/** Whether two records are written alike. */
export const isSame = (a: Edited, b: Edited): boolean => JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b));

/** The name under which the tab keeps what was typed on the page of a record. */
export const keptAs = ({ zone, domain, type }: Pick<Edit, "zone" | "domain" | "type">) =>
  `record:${zone}/${domain}/${type}`;

/** The id of the feed that a value comes from. */
export function feedOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { feed } = value as { readonly feed?: unknown };
  return typeof feed === "string" ? feed : undefined;
}

/** Returns a list with the element at `at` replaced, or removed if there is no other. */
export const withAt = <T>(list: readonly T[], at: number, next?: T): T[] =>
  list.flatMap((one, i) => (i === at ? (next === undefined ? [] : [next]) : [one]));
