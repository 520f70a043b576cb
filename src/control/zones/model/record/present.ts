/** A record as replies, listings and the history present it. */
import { feedsOf } from "../../../../answer/model/meta.ts";
import { shortAnswer } from "../../../../dns/rdata/codec.ts";
import type { BoundFeed, RecordRow, StoredAnswer } from "../../../../storage/tables/records.ts";
import type { Ctx } from "../../../write/context.ts";
import type { RecordEntry } from "../../../write/history.ts";
import type { RecordZone } from "../../../write/lock-store.ts";
import type { Record, RecordSummary } from "./schema.ts";
import type { ListedRecord } from "./store.ts";
import { inheritedFrom, tagsInForce } from "./tags.ts";

/** The fields of the zone that a record's replies contain. */
type InZone = Pick<RecordZone, "zone" | "networks" | "tags">;

export function recordReply({ settings: { edition } }: Pick<Ctx, "settings">, row: RecordRow, zone: InZone): Record {
  return {
    domain: row.domain,
    zone: zone.zone,
    use_client_subnet: row.use_client_subnet,
    answers: row.answers.map((answer) => answerReply(answer, row.feeds)),
    id: row.id,
    regions: row.regions,
    meta: row.meta,
    link: row.link,
    filters: [...row.filters],
    ttl: row.ttl,
    tier: row.tier,
    type: row.type,
    networks: [...zone.networks],
    override_ttl: row.override_ttl,
    override_address_records: row.override_address_records,
    feeds: [...row.feeds],
    tags: tagsInForce(row, inheritedFrom(edition, zone)),
    local_tags: edition === "ddi" ? Object.keys(row.tags) : row.local_tags,
    blocked_tags: row.blocked_tags,
    customer: null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(row.all_down === null ? {} : { all_down: row.all_down }),
    ...(row.live_guard === null ? {} : { live_guard: row.live_guard }),
  };
}

function answerReply(answer: StoredAnswer, feeds: readonly BoundFeed[]): Record["answers"][number] {
  const bound = new Set(feedsOf(answer.meta ?? {}));
  return bound.size === 0 ? { ...answer } : { ...answer, feeds: feeds.filter(({ feed }) => bound.has(feed)) };
}

export const recordSummary = (row: ListedRecord, zone: Pick<InZone, "zone">): RecordSummary => ({
  domain: row.domain,
  short_answers: row.answers.map(({ answer }) => shortAnswer(answer)),
  link: row.link,
  ttl: row.ttl,
  tier: row.tier,
  type: row.type,
  id: row.id,
  zone: zone.zone,
});

/** A record's entry in the zone's history: the whole record. */
export function recordHistory(row: RecordRow): RecordEntry {
  const { account_id: _, ...record } = row;
  return { kind: "record", record };
}
