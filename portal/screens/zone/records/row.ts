/** The rows of the table: the records of the zone, with the edits of the draft laid over them. */
import type { Record as DnsRecord } from "../../../api/types.ts";
import { printAnswer } from "../../../kit/answer-text.ts";
import type { Edit } from "../../../kit/draft-edits.ts";
import { unicodeOf } from "../../../kit/name.tsx";
import type { KnownTypes } from "../../../kit/record-types.ts";
import { relativeName } from "../../../kit/relative.ts";
import { rowId } from "./row-id.ts";

export interface Row {
  /** Domain and type. */
  readonly id: string;
  readonly domain: string;
  readonly type: string;
  /** The name relative to the zone. */
  readonly name: string;
  /** As they are stored; undefined for a record that only the draft has. */
  readonly record: DnsRecord | undefined;
  readonly edit: Edit | undefined;
  readonly ttl: number | undefined;
  readonly answers: readonly string[];
  /** The answers that are stored, if the draft has others. */
  readonly before: readonly string[] | undefined;
  readonly isSteered: boolean;
  readonly link: string | null;
  /** The comment: the metadata `note` of the record. */
  readonly note: string;
  /** The text in which a search looks. */
  readonly text: string;
}

/** The rows by name, the zone's own name first; records that only the draft has are among them. */
export function rowsOf(
  zone: string,
  records: readonly DnsRecord[],
  edits: readonly Edit[],
  known: KnownTypes,
): readonly Row[] {
  const own = new Map(edits.filter((edit) => edit.zone === zone).map((edit) => [rowId(edit), edit]));
  const rows = records.map((record) => rowOf(zone, record, own.get(rowId(record)), known));
  const there = new Set(records.map(rowId));
  const added = [...own.values()]
    .filter((edit) => !there.has(rowId(edit)) && edit.action !== "delete")
    .map((edit) => rowOf(zone, undefined, edit, known));
  return [...added, ...rows];
}

function rowOf(zone: string, record: DnsRecord | undefined, edit: Edit | undefined, known: KnownTypes): Row {
  const { domain, type } = record ?? edit!;
  const isText = known.isText(type);
  const textsOf = (answers: readonly { readonly answer: readonly (string | number)[] }[] | null | undefined) =>
    (answers ?? []).map(({ answer }) => printAnswer(answer, isText));
  const stored = record ? textsOf(record.answers) : undefined;
  const isReplaced = edit?.answers !== undefined && edit.action !== "delete";
  const answers = isReplaced ? textsOf(edit.answers) : (stored ?? []);
  const name = relativeName(domain, zone);
  const link = record?.link ?? edit?.link ?? null;
  const { note: given } = edit?.meta ?? record?.meta ?? {};
  const note = typeof given === "string" ? given : "";
  return {
    id: rowId({ domain, type }),
    domain,
    type,
    name,
    record,
    edit,
    ttl: edit?.ttl ?? record?.ttl,
    answers,
    before: isReplaced && stored && stored.join("\n") !== answers.join("\n") ? stored : undefined,
    isSteered: (edit?.filters ?? record?.filters ?? []).length > 0,
    link,
    note,
    text: `${domain} ${unicodeOf(domain) ?? ""} ${type} ${answers.join(" ")} ${link ?? ""} ${note}`.toLowerCase(),
  };
}

export interface Wanted {
  readonly search: string;
  readonly type: string;
  /** A column; with `-` in front, descending. */
  readonly sort: string;
}

export function selectRows(rows: readonly Row[], { search, type, sort }: Wanted, zone: string): readonly Row[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(
    (row) => (type === "" || row.type === type) && words.every((word) => row.text.includes(word)),
  );
  const sign = sort.startsWith("-") ? -1 : 1;
  const column = sort.replace(/^-/, "");
  const byName = (a: Row, b: Row) =>
    Number(b.domain === zone) - Number(a.domain === zone) || compare(a.domain, b.domain) || compare(a.type, b.type);
  const by = {
    type: (a: Row, b: Row) => compare(a.type, b.type) || byName(a, b),
    ttl: (a: Row, b: Row) => (a.ttl ?? 0) - (b.ttl ?? 0) || byName(a, b),
  }[column];
  return found.sort((a, b) => sign * (by ?? byName)(a, b));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
