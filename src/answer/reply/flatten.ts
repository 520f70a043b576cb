/** Converts a record to plain DNS records, for transfers to servers without filters. */
import { rdataFromApi } from "../../dns/rdata/codec.ts";
import type { ResourceRecord } from "../../dns/reply.ts";
import { typeNamed } from "../../dns/type-names.ts";
import { nameFromApi } from "../../dns/wire/name.ts";
import { isSingle, withoutTwins } from "../image/rrset/rrset.ts";
import { isSteered } from "../model/steering-settings.ts";

/** The fields that `flatten` reads from a record in the change stream. */
export interface Flattened {
  readonly domain: string;
  readonly type: string;
  readonly ttl: number;
  readonly answers: readonly { readonly answer: readonly unknown[] }[];
  readonly filters: readonly unknown[];
}

/**
 * - `plain`: the same records
 * - `unsteered`: all answers of a steered record; only the first if the type allows one record per name
 * - `left out`: other servers cannot answer the type
 */
export type Flattening = "plain" | "unsteered" | "left out";

export function flatteningOf({ type, filters }: Flattened): Flattening {
  if (typeNamed(type)?.served !== "as-is") return "left out";
  return isSteered(filters) ? "unsteered" : "plain";
}

/** The records without duplicates (RFC 2181 section 5). Throws a Problem for an answer that does not fit its type. */
export function flatten(record: Flattened): ResourceRecord[] {
  const type = typeNamed(record.type);
  if (!type || flatteningOf(record) === "left out") return [];
  const owner = nameFromApi(record.domain);
  const answers = isSingle(type.code) ? record.answers.slice(0, 1) : record.answers;
  const { distinct } = withoutTwins(answers.map(({ answer }) => rdataFromApi(type, answer)));
  return distinct.map((rdata) => ({ owner, type, ttl: record.ttl, rdata }));
}
