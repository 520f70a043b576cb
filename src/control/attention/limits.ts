/** Limits that an account has nearly reached, by the percentages of its usage warnings. */
import type { AccountQuota } from "../../storage/tables/accounts.ts";
import { limits } from "../kit/limits.ts";
import { usageWarningsIn } from "../people/account/usagewarnings.ts";
import type { Amounts } from "../write/quota/quota.ts";
import type { Item } from "./item.ts";

export interface Used {
  readonly quota: AccountQuota;
  readonly used: Amounts;
  /** Undefined for an account without that limit. */
  readonly cells: number | undefined;
  /** The column of the account. */
  readonly usage_warnings: unknown;
}

const words = {
  zones: "zones",
  records: "records",
  octets: "octets of answers, filters, regions, metadata and tags",
  feed_values: "values in feeds",
};

export function limitItems({ quota, used, cells, usage_warnings }: Used): Item[] {
  const { records, zones = records } = usageWarningsIn(usage_warnings);
  const amounts = [
    { name: "zones", has: used.zones, most: quota.zones, at: zones },
    { name: "records", has: used.records, most: quota.records, at: records },
    { name: "octets", has: used.octets, most: quota.octets, at: records },
    { name: "feed_values", has: cells ?? 0, most: cells === undefined ? null : limits.feedCells, at: records },
  ] as const;
  return amounts.flatMap(({ name, has, most, at }): Item[] => {
    if (most === null || has * 100 < most * at.warning_1) return [];
    const severity = has >= most || has * 100 >= most * at.warning_2 ? "error" : "warning";
    const percent = most === 0 ? 100 : Math.floor((has / most) * 100);
    const message = `The account has ${percent} percent of the ${words[name]} that it may have: ${has} of ${most}.`;
    const detail = { used: has, limit: most, percent };
    return [{ kind: "limit_near", thing: name, zone: "", name, severity, message, detail }];
  });
}
