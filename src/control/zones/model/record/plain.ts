/** A record with data alone: nothing steers it, and nobody has written anything beside it. */
import type { RecordRow } from "../../../../storage/tables/records.ts";

/** What such a record has in all of the fields that data do not fill. */
export const plain = {
  tier: 1,
  link: null,
  override_ttl: false,
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
