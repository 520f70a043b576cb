/** Locates clients by the operator's geo files in their current version. */

import { locateNobody } from "../../../answer/chain/unknown.ts";
import type { Locate } from "../../../answer/filters/contract/client.ts";
import { followGeo } from "../../../geo/follow.ts";
import { Geo } from "../../../geo/geo.ts";
import type { Log } from "../../../lib/log.ts";

export interface Locations {
  readonly locate: Locate;
  close(): void;
}

/** Throws a Problem that names the file if one cannot be read. Without files no client is located. */
export async function locationsBy(paths: readonly string[], log: Log): Promise<Locations> {
  if (paths.length === 0) return { locate: locateNobody, close: () => undefined };
  const followed = await followGeo(paths, { log });
  let { data } = followed;
  let geo = new Geo(data);
  return {
    locate(octets, offset, length) {
      if (data !== followed.data) {
        data = followed.data;
        geo = new Geo(data);
      }
      return geo.find(octets, offset, length);
    },
    close: () => followed.close(),
  };
}
