/** The registry of source types, by their names in the API. */

import { nsoneV1 } from "./nsone_v1.ts";
import type { SourceType } from "./sourcetype.ts";

export const sourceTypes: ReadonlyMap<string, SourceType> = new Map([["nsone_v1", nsoneV1]]);
