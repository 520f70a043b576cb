/** The registry of source types, by their names in the API. */

import { nsoneV1 } from "./nsone_v1.ts";
import type { SourceType } from "./sourcetype.ts";

export const sourceTypes: ReadonlyMap<string, SourceType> = new Map([["nsone_v1", nsoneV1]]);

/** Types that clients may ask for and that are not built yet. */
export const comingTypes: ReadonlySet<string> = new Set([
  ...["a10", "boundary", "catchpoint", "cloudwatch", "datadog", "monitis", "monitor_us", "newrelic_webhook"],
  ...["nsone_monitoring", "pingdom", "rackspace", "thousandeyes", "webcheck"],
]);
