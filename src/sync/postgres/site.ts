/** The site whose edges are connected to its PostgreSQL. */
import type { Site } from "../site.ts";
import { followPostgres } from "./changes.ts";
import { readCookieSecret } from "./cookie-secret.ts";
import { readDigests } from "./digests.ts";
import { reasonOf } from "./failure.ts";
import { followLivePostgres } from "./live.ts";
import { PostgresPeers } from "./peers.ts";
import { UsageConnection } from "./usage.ts";
import type { PostgresStore } from "./zone.ts";

/** `isEmbedded`: the server runs on this machine, and serves only this installation. */
export const postgresSite = (url: string, isEmbedded = false): Site => ({
  followChanges: (follower, options) => followPostgres(url, follower, options),
  followLive: (follower, options) => followLivePostgres(url, follower, options),
  followPeers: (options) => new PostgresPeers(url, options),
  cookieSecret: () => readCookieSecret(url),
  digests: (follower, after, compare) => readDigests(url, follower, after, compare),
  usage: () => new UsageConnection(url),
  zones: { module: new URL("./zone.ts", import.meta.url).href, options: { url, isEmbedded } satisfies PostgresStore },
  reasonOf,
});
