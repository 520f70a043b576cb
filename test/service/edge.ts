/** An edge in the test's process that follows the store of the test's API. */
import { join } from "node:path";
import { keys } from "../../src/config/keys.ts";
import type { EdgeOptions } from "../../src/edge/edge.ts";
import { noLimits } from "../../src/edge/serve/rate.ts";
import { startEdge } from "../../src/edge/start.ts";
import { newId } from "../../src/lib/ids.ts";
import { postgresSite } from "../../src/sync/postgres/site.ts";
import { atEnd } from "../machine/at-end.ts";
import { silent } from "../store/store.ts";
import type { Api } from "./api.ts";

/** Starts an edge with one worker on a free port, which follows this store. */
export const startEdgeAt = (storeUrl: string, options: Partial<EdgeOptions> = {}) =>
  startEdge({
    listen: [{ address: "127.0.0.1", port: 0 }],
    proxies: [],
    site: postgresSite(storeUrl),
    log: silent,
    geo: [],
    cookieSecrets: [],
    limits: noLimits,
    transfers: keys.transfersOut.fallback,
    memoryLimit: 0,
    udp: "auto",
    workers: 1,
    id: newId(),
    version: "0.0.0",
    ...options,
  });

/** Starts an edge, waits until it is ready and returns its address; it is closed after the test file. */
export async function edgeBeside(
  { storeUrl, directory }: Pick<Api, "storeUrl" | "directory">,
  options: Partial<EdgeOptions> = {},
) {
  const edge = await startEdgeAt(storeUrl, { masterKeyFile: join(directory, "master.key"), ...options });
  atEnd(() => edge.close());
  await edge.ready;
  return edge.addresses[0]!;
}
