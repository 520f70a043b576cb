/** A record as it was read, in the shape in which it can be written again. */
import type { Record as DnsRecord } from "../api/types.ts";
import type { Edit } from "./draft-edits.ts";

type Body = Omit<Edit, "action" | "zone" | "domain" | "type">;

const fields = [
  ...["answers", "ttl", "use_client_subnet", "regions", "meta", "filters", "all_down", "live_guard", "link"],
  ...["override_ttl", "override_address_records", "tags", "local_tags", "blocked_tags"],
];

/** The fields of a record that can be written. */
export function bodyOf(record: DnsRecord): Body {
  const entries = Object.entries(record).filter(([name]) => fields.includes(name));
  if (record.link === null) return Object.fromEntries(entries) as Body;
  // a linked record takes no data of its own
  const own = ["ttl", "link", "override_ttl", "tags", "local_tags", "blocked_tags"];
  return Object.fromEntries(entries.filter(([name]) => own.includes(name))) as Body;
}
