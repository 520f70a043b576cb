/** A record with data alone: no filters, metadata, link or tags. */
import type { RecordRow } from "../../../../storage/tables/records.ts";

/** The values of all fields other than data. */
export const plain = {
  tier: 1,
  link: null,
  override_ttl: null,
  override_address_records: false,
  filters: [],
  all_down: null,
  live_guard: null,
  regions: {},
  meta: {},
  feeds: [],
  tags: {},
  local_tags: [],
  blocked_tags: [],
} satisfies Partial<RecordRow>;
